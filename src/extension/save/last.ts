import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import type { TabGroup } from "../browser/api.ts";
import { kept } from "../browser/kept.ts";

/** The task that something was last saved to; null if nothing was. */
export const lastTask = kept("lastTask", (stored): string | null =>
  typeof stored === "string" ? stored : null,
);

type ClosedTab = {
  /** The browser's own number of it. */
  readonly id: number;
  /** As it was saved: no browser opens Firefox's reader view for an extension. */
  readonly url: string;
  readonly title: string;
  /** The browser's own number of its group. */
  readonly group: number | null;
};

/** The last save, so that it can be undone, even after the worker was stopped. */
export type LastSave = {
  /** Whose doing it was: see `save`. */
  readonly key: string;
  /** In milliseconds. */
  readonly at: number;
  readonly label: string;
  readonly refused: readonly string[];
  readonly ownPages: number;
  readonly accountId: string;
  readonly taskId: string;
  /** Whether the save made the task. */
  readonly isNew: boolean;
  readonly tabIds: readonly string[];
  readonly groupIds: readonly string[];
  /** The tabs that were closed. Undo opens them again, in the groups that they were in. */
  readonly closed: readonly ClosedTab[];
  readonly groups: readonly TabGroup[];
};

export const lastSave = kept("lastSave", (stored): LastSave | null => {
  if (!isObject(stored)) return null;
  const taskId = textField(stored, "taskId");
  if (taskId === null) return null;
  const texts = (field: string): readonly string[] =>
    listField(stored, field).filter((one) => typeof one === "string");
  return {
    key: textField(stored, "key") ?? "",
    at: Number(stored["at"]),
    refused: texts("refused"),
    ownPages: Number(stored["ownPages"] ?? 0),
    label: textField(stored, "label") ?? "",
    accountId: textField(stored, "accountId") ?? "",
    taskId,
    isNew: stored["isNew"] === true,
    tabIds: texts("tabIds"),
    groupIds: texts("groupIds"),
    closed: listField(stored, "closed").filter(isObject).map(readClosed),
    groups: listField(stored, "groups").filter(isObject).map(readGroup),
  };
});

const readClosed = (tab: Payload): ClosedTab => ({
  id: Number(tab["id"]),
  url: textField(tab, "url") ?? "",
  title: textField(tab, "title") ?? "",
  group: typeof tab["group"] === "number" ? tab["group"] : null,
});

const readGroup = (group: Payload): TabGroup => ({
  id: Number(group["id"]),
  title: textField(group, "title") ?? "",
  color: textField(group, "color") ?? "",
  collapsed: group["collapsed"] === true,
});
