import type { Client } from "../../client/client.ts";
import type { Edit } from "../../client/edit.ts";
import { NotPossible } from "../../client/state.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { childId } from "../../domain/tasks/child.ts";
import { kept } from "../browser/kept.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/adopt.ts";
import { wakeToPush } from "../core/wake.ts";

/** What left its task because it was opened: the tabs as the task had them, with their places. */
type Taken = {
  readonly taskId: string;
  readonly pages: readonly { readonly at: number; readonly page: Payload }[];
};

/** The last tabs that were opened and taken out of their tasks, so that they can be put back. */
export const lastTaken = kept("lastTaken", (stored) => {
  if (!isObject(stored)) return null;
  const taken = listField(stored, "taken").filter(isObject);
  return {
    /** Who asked: see `reopen`. */
    key: textField(stored, "key") ?? "",
    accountId: textField(stored, "accountId") ?? "",
    taken: taken.map((one): Taken => ({
      taskId: textField(one, "taskId") ?? "",
      pages: listField(one, "pages").filter(isObject).flatMap(readPage),
    })),
  };
});

const readPage = ({ at, page }: Payload): Taken["pages"] =>
  isObject(page) ? [{ at: Number(at), page }] : [];

/**
 * Removes tabs that were opened from their task, as far as they are still there, and notes them for `putBack`. Asked
 * again with the same `key`, it keeps what it has noted.
 */
export const takeOut = async (
  client: Client,
  taskId: string,
  entries: readonly string[],
  key: string,
): Promise<void> => {
  const isOpened = (page: unknown): boolean =>
    isObject(page) && entries.includes(childId(page) ?? "");
  const before = await lastTaken.read();
  const noted = before?.key === key ? before.taken : [];
  const all = listField(client.state().tasks.get(taskId)?.payload ?? {}, "pages");
  const pages = all.flatMap((page, at) => (isOpened(page) && isObject(page) ? { at, page } : []));
  // On a full disk, only the way back is missing: the tabs are open.
  if (pages.length > 0)
    await lastTaken
      .write({ key, accountId: client.account.id, taken: [...noted, { taskId, pages }] })
      .catch(() => lastTaken.forget());
  await wakeToPush();
  await client.edit("Opened tabs taken out", [
    async (desk) => {
      const task = await desk.read("sync_tasks", taskId);
      if (task === null) return;
      const left = listField(task, "pages").filter((page) => !isOpened(page));
      if (left.length < listField(task, "pages").length)
        await desk.write("sync_tasks", taskId, { ...task, pages: left });
    },
  ]);
};

/**
 * Puts the last tabs that were taken out back into their tasks, at their places. They stay open. Does nothing the second
 * time. Rejects with `NotPossible` if they cannot be put back.
 */
export const putBack = (): Promise<void> =>
  inTurn(async () => {
    const last = await lastTaken.read();
    if (last === null) return;
    const client = await currentClient();
    if (last.accountId !== client.account.id)
      throw new NotPossible("You have signed in or out since, so this cannot be undone.");
    await wakeToPush();
    await client.edit("Opened tabs put back", last.taken.map(putBackInto));
    await lastTaken.forget();
  });

const putBackInto =
  ({ taskId, pages }: Taken): Edit =>
  async (desk) => {
    const found = await desk.find("sync_tasks", taskId);
    if (found === null) return;
    const now = [...listField(found.payload, "pages")];
    const known = now.map((page) => (isObject(page) ? childId(page) : null));
    const missing = pages.filter(({ page }) => !known.includes(childId(page)));
    for (const { at, page } of missing) now.splice(at, 0, page);
    if (missing.length > 0)
      await desk.write("sync_tasks", taskId, { ...found.payload, pages: now });
  };
