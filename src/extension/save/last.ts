import { isObject, listField, textField } from "../../domain/base/payload.ts";
import { kept } from "../browser/kept.ts";

/** The task that something was last saved to; null if nothing was. */
export const lastTask = kept("lastTask", (stored): string | null =>
  typeof stored === "string" ? stored : null,
);

type ClosedTab = { readonly url: string; readonly title: string };

/** The last save, so that it can be undone, even after the worker was stopped. */
export type LastSave = {
  /** Whose doing it was: see `save`. */
  readonly key: string;
  /** In milliseconds. */
  readonly at: number;
  readonly label: string;
  readonly refused: readonly string[];
  readonly accountId: string;
  readonly taskId: string;
  /** Whether the save made the task. */
  readonly isNew: boolean;
  readonly tabIds: readonly string[];
  readonly groupIds: readonly string[];
  /** The tabs that were closed. Undo opens them again. */
  readonly closed: readonly ClosedTab[];
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
    label: textField(stored, "label") ?? "",
    accountId: textField(stored, "accountId") ?? "",
    taskId,
    isNew: stored["isNew"] === true,
    tabIds: texts("tabIds"),
    groupIds: texts("groupIds"),
    closed: listField(stored, "closed")
      .filter(isObject)
      .map((tab) => ({ url: textField(tab, "url") ?? "", title: textField(tab, "title") ?? "" })),
  };
});
