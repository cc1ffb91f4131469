import type { Caller } from "../people/caller.ts";
import { invalid, Refusal } from "../base/refusal.ts";
import { isSeen } from "../base/text.ts";
import { urlRefusal } from "./task.ts";
import type { Payload } from "../base/payload.ts";
import { type FieldsWith, fieldsWith, type SentValue, TASK_FIELDS } from "./task-fields.ts";
import type { SentField } from "./task-field.ts";

/** A tab to file. Without a title that can be seen, its URL is used. */
export type TabDraft = { readonly url: string; readonly title: string | null };

/** What may be set on a task. Absent: unchanged; null: none. */
export type TaskPatch = {
  readonly [Name in FieldsWith<"sent">]?: SentValue<Name>;
};

export type TaskDraft = TaskPatch & {
  readonly title: string;
  readonly tabs: readonly TabDraft[];
  readonly notes: readonly string[];
};

export type FolderDraft = { readonly name: string; readonly colour: string | null };

const SENT: readonly (SentField & { readonly name: FieldsWith<"sent"> })[] = fieldsWith("sent").map(
  (name) => ({ name, ...TASK_FIELDS[name].sent }),
);

/** Refuses values that the schemas cannot check. */
export const checkFields = (patch: TaskPatch): void => {
  for (const { name, check, must = "a text that can be seen" } of SENT) {
    const value = patch[name] ?? null;
    if (check && value !== null && !check(value)) throw invalid(`${name} must be ${must}.`);
  }
};

/**
 * Returns the sent fields in the form in which payloads hold them, without those that name other records:
 * these must be looked up first.
 */
export const sentFields = (patch: TaskPatch): Payload =>
  Object.fromEntries(
    SENT.flatMap(({ name, names, clean }) => {
      const value = patch[name];
      return value === undefined || names ? [] : [[name, clean ? clean(value) : value]];
    }),
  );

/** A tab as it was sent. */
type SentTab = { readonly url: string; readonly title?: string | null };

/**
 * Returns tabs ready to be filed, with urls trimmed. Refuses urls from an API key that are not web addresses (422). A
 * person's own device may keep anything that a browser opens.
 */
export const tabsOf = (sent: readonly SentTab[], caller: Caller): readonly TabDraft[] => {
  const tabs = sent.map(({ url, title }) => ({
    url: url.trim(),
    title: isSeen(title) ? title : null,
  }));
  if (caller.kind === "api_key") checkTabs(tabs);
  return tabs;
};

const checkTabs = (tabs: readonly TabDraft[]): void => {
  for (const [index, { url }] of tabs.entries()) {
    const problem = urlRefusal(url);
    if (problem !== null) throw invalid(`The url of tab ${index} ${problem}.`);
  }
};

/**
 * Only a person may delete or trash a task, through their own device's sync (specification, section 5.4). A
 * key is refused; the refusal tells a session to use sync. This applies to any value, null included.
 */
export const trashRefusal = (field: string, byKey: boolean): Refusal =>
  byKey
    ? new Refusal(
        "forbidden",
        `An API key can never delete anything, so it cannot send ${field}. Nothing was changed.`,
      )
    : invalid(
        `You cannot send ${field} here. To delete a record or move a task to the trash, use POST /sync. Nothing was changed.`,
      );
