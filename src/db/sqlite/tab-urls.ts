import { and, eq, sql } from "drizzle-orm";
import { childValue } from "../../domain/tasks/child.ts";
import { wyhash64 } from "../../domain/base/hash.ts";
import { listField, type Payload } from "../../domain/base/payload.ts";
import { direct } from "./direct-query.ts";
import type { Orm } from "./orm.ts";
import type { Draft } from "../records/projection.ts";
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

/** Keeps which task holds which url in step with the task's payload. */
export const writeUrls = (
  orm: Orm,
  draft: Draft,
  before: { readonly row: { readonly deletedAt: string | null }; readonly payload: Payload } | null,
): void => {
  const { accountId, id: taskId } = draft;
  const now = draft.deletedAt === null ? hashes(draft.payload) : NONE;
  const then = before?.row.deletedAt === null ? hashes(before.payload) : NONE;
  for (const urlHash of now.difference(then)) insertUrl(orm).run({ accountId, urlHash, taskId });
  for (const urlHash of then.difference(now)) deleteUrl(orm).run({ accountId, urlHash, taskId });
};

const NONE: ReadonlySet<number> = new Set();

/** Tabs of one task by whose url it can be found: bounds what one push writes. */
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

/** 53 bits of the url's hash: what a number holds exactly. */
export const urlHash = (url: string): number => Number(wyhash64(url) >> 11n);
