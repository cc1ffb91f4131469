import { and, eq, sql } from "drizzle-orm";
import { childValue } from "../../domain/tasks/child.ts";
import { wyhash64 } from "../../domain/base/hash.ts";
import { listField, type Payload } from "../../domain/base/payload.ts";
import { direct } from "./direct-query.ts";
import type { Orm } from "./orm.ts";
import { tabUrl } from "../schema/records.ts";

const row = {
  accountId: sql.placeholder("accountId"),
  urlHash: sql.placeholder("urlHash"),
  taskId: sql.placeholder("taskId"),
};

const insertUrl = direct((orm) => orm.insert(tabUrl).values(row).onConflictDoNothing());

const deleteUrl = direct((orm) =>
  orm
    .delete(tabUrl)
    .where(
      and(
        eq(tabUrl.accountId, row.accountId),
        eq(tabUrl.urlHash, row.urlHash),
        eq(tabUrl.taskId, row.taskId),
      ),
    ),
);

/**
 * Keeps the index of tab URLs in step with the task's payload (null if deleted); `before` is null if the task
 * was deleted or did not exist.
 */
export const writeUrls = (
  orm: Orm,
  { accountId, id: taskId }: { readonly accountId: number; readonly id: string },
  payload: Payload | null,
  before: Payload | null,
): void => {
  const now = payload ? hashes(payload) : NONE;
  const then = before ? hashes(before) : NONE;
  for (const urlHash of now.difference(then)) insertUrl(orm).run({ accountId, urlHash, taskId });
  for (const urlHash of then.difference(now)) deleteUrl(orm).run({ accountId, urlHash, taskId });
};

const NONE: ReadonlySet<number> = new Set();

/** Tabs per task that can be found by URL. This bounds what one push writes. */
const FINDABLE = 2_000;

const hashes = (payload: Payload): ReadonlySet<number> =>
  new Set(
    listField(payload, "pages")
      .slice(0, FINDABLE)
      .flatMap((page) => {
        const url = childValue("pages", page);
        return url === null ? [] : [urlHash(url)];
      }),
  );

/** Returns 53 bits of the URL's hash, which a number can hold exactly. */
export const urlHash = (url: string): number => Number(wyhash64(url) >> 11n);
