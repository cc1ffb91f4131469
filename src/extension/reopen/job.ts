import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { keptForSession } from "../browser/kept.ts";
import type { ChildName } from "../../client/children.ts";

/** Where the tabs of a job are opened. `behind`: in this window, behind the tab in front. */
type JobPlace = ReopenRequest["where"] | "behind";

const PLACES: readonly JobPlace[] = ["behind", "group", "here", "window"];

/** A tab that is to be opened. `group` is the id of one of the job's groups. */
type Wanted = KeptTab & {
  /** Its id in the task, if it has one. */
  readonly entry: string | null;
};

/** A tab as it is opened again. */
export type KeptTab = {
  readonly url: string;
  readonly title: string;
  readonly pinned: boolean;
  readonly group: string | null;
};

type Group = KeptGroup & {
  /** The browser's number of it, if it may be open. */
  readonly open: number | null;
};

export type KeptGroup = {
  readonly id: string;
  readonly title: string;
  readonly colour: string | null;
  readonly collapsed: boolean;
};

export const readTab = (tab: Payload): KeptTab => ({
  url: textField(tab, "url") ?? "",
  title: textField(tab, "title") ?? "",
  pinned: tab["pinned"] === true,
  group: textField(tab, "group"),
});

export const readGroup = (group: Payload): KeptGroup => ({
  id: textField(group, "id") ?? "",
  title: textField(group, "title") ?? "",
  colour: textField(group, "colour"),
  collapsed: group["collapsed"] === true,
});

/** Tabs that are being opened. It has all that is needed to go on after the worker was stopped. */
export type Job = {
  /** Who asked: see `reopen`. */
  readonly key: string;
  readonly where: JobPlace;
  readonly tabs: readonly Wanted[];
  readonly groups: readonly Group[];
  /** The browser's numbers of the tabs that were open before. */
  readonly before: readonly number[];
  /** A sentence for each tab that cannot be opened. */
  readonly refused: readonly string[];
  readonly isDone: boolean;
};

/** The last job. */
export const lastJob = keptForSession("opening", (stored): Job | null => {
  if (!isObject(stored)) return null;
  const objects = (field: string) => listField(stored, field).filter(isObject);
  return {
    key: textField(stored, "key") ?? "",
    where: PLACES.find((where) => where === stored["where"]) ?? "here",
    tabs: objects("tabs").map((tab) => ({ ...readTab(tab), entry: textField(tab, "entry") })),
    groups: objects("groups").map((group) => ({
      ...readGroup(group),
      open: typeof group["open"] === "number" ? group["open"] : null,
    })),
    before: listField(stored, "before").filter((id) => typeof id === "number"),
    refused: listField(stored, "refused").filter((text) => typeof text === "string"),
    isDone: stored["isDone"] === true,
  };
});

/** Stands for the number of a tab that the browser refused to open. */
export const NOT_OPENED = -1;

export const isOpened = (id: number): boolean => id !== NOT_OPENED;

/** The browser's numbers of the tabs that the last job has opened, in their order. */
export const openedTabs = keptForSession("opened", (stored): readonly number[] =>
  (Array.isArray(stored) ? stored : []).filter((id) => typeof id === "number"),
);

/** Which tabs of a task to open, and where. */
export type ReopenRequest = {
  readonly taskId: string;
  /** Null for all. */
  readonly names: readonly ChildName[] | null;
  /** `group`: in this window, as one group with the task's name and colour. */
  readonly where: "group" | "here" | "window";
  /** Whether tabs that are open in some window stay there, and only the others are opened. */
  readonly onlyClosed?: boolean;
  /** Whether the tabs leave the task once they are open. */
  readonly takeOut?: boolean;
};

export type ReopenReport = {
  readonly opened: number;
  /** A sentence for each tab that could not be opened. */
  readonly refused: readonly string[];
};
