import type { Caller } from "../people/caller.ts";
import { invalid, Refusal } from "../base/refusal.ts";
import { urlRefusal } from "./tab.ts";
import { isStatus, MAX_STATUS } from "./task.ts";

/** A tab that is to be filed. Without a title, the url stands in. */
export type TabDraft = { readonly url: string; readonly title: string | null };

/** What may be set on a task. Absent: as it is; null: none. */
export type TaskPatch = {
  readonly title?: string;
  readonly status?: string;
  readonly colour?: string | null;
  readonly folder?: string | null;
  readonly project_id?: string | null;
  readonly bucket_id?: string | null;
};

export type TaskDraft = TaskPatch & {
  readonly title: string;
  readonly tabs: readonly TabDraft[];
  readonly notes: readonly string[];
};

export type FolderDraft = { readonly name: string; readonly colour: string | null };

export const checkStatus = (status: string | undefined): void => {
  if (status !== undefined && !isStatus(status))
    throw invalid(`status must be 1 to ${MAX_STATUS} printable characters.`);
};

/** Tabs of an API key must be web addresses; a person's own device may keep what a browser opens. */
export const checkTabs = (tabs: readonly TabDraft[], caller: Caller): void => {
  if (caller.kind !== "api_key") return;
  for (const [index, { url }] of tabs.entries()) {
    const problem = urlRefusal(url);
    if (problem !== null) throw invalid(`The url of tab ${index} ${problem}.`);
  }
};

/**
 * Deleting and trashing are a person's, through their own device's sync (specification, section 5.4):
 * a key is forbidden, a session is told the way. Holds for any value, null included.
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
