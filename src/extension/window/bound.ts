import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { keptForSession } from "../browser/kept.ts";

/** An open tab in the window of a task. */
export type Followed = {
  readonly tabId: number;
  /** The tab of the task that it shows. */
  readonly entry: string;
  /** Whether the window put it into the task. Then it goes along when another page is opened in the open tab. */
  readonly own: boolean;
  /** The page that it showed at first, redirects and all; null until it has loaded. */
  readonly page: string | null;
  /** The group of the task that it was in after the last step; null for none. Missing until there was a step. */
  readonly group?: string | null;
  /** Whether it was pinned after the last step. Missing until there was a step. */
  readonly pinned?: boolean;
};

/** A tab group in the window of a task, as it looked after the last step. */
export type BoundGroup = {
  readonly groupId: number;
  /** The group of the task that it is. */
  readonly id: string;
  readonly title: string;
  readonly colour: string;
  readonly collapsed: boolean;
};

/** A window that is kept in step with a task. */
export type Bound = {
  readonly windowId: number;
  readonly taskId: string;
  readonly followed: readonly Followed[];
  /** Addresses of the task, as they are compared. One that is not here has come from elsewhere, and is opened. */
  readonly known: readonly string[];
  readonly groups: readonly BoundGroup[];
};

/**
 * The windows of tasks. The browser numbers its windows and tabs anew when it starts, so this ends with it: a window
 * that is restored is an ordinary one.
 */
export const boundWindows = keptForSession("windows", (stored): readonly Bound[] =>
  Array.isArray(stored) ? stored.filter(isObject).flatMap(readBound) : [],
);

const readBound = (stored: Readonly<Record<string, unknown>>): readonly Bound[] => {
  const taskId = textField(stored, "taskId");
  const windowId = stored["windowId"];
  if (taskId === null || typeof windowId !== "number") return [];
  const known = listField(stored, "known").filter((one) => typeof one === "string");
  const followed = listField(stored, "followed").filter(isObject).map(readFollowed);
  const groups = listField(stored, "groups").filter(isObject).map(readGroup);
  return [{ windowId, taskId, followed, known, groups }];
};

const readFollowed = (one: Payload): Followed => ({
  tabId: Number(one["tabId"]),
  entry: textField(one, "entry") ?? "",
  own: one["own"] === true,
  page: textField(one, "page"),
  ...("group" in one ? { group: textField(one, "group") } : {}),
  ...("pinned" in one ? { pinned: one["pinned"] === true } : {}),
});

const readGroup = (one: Payload): BoundGroup => ({
  groupId: Number(one["groupId"]),
  id: textField(one, "id") ?? "",
  title: textField(one, "title") ?? "",
  colour: textField(one, "colour") ?? "",
  collapsed: one["collapsed"] === true,
});
