import { and, count, eq, inArray, ne, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { type Icon, MAX_ICONS } from "../../domain/tasks/icon.ts";
import { icon } from "../schema/icons.ts";
import type { Store } from "../store.ts";

/** Keeps pictures of sites for an account, in one transaction. Those that were sent first go if they are too many. */
export const saveIcons = (
  store: Store,
  accountId: number,
  icons: readonly { readonly host: string; readonly png: Uint8Array }[],
  now: Instant,
): Promise<void> =>
  store.writer.write(async ({ orm }) => {
    for (const { host, png } of icons) {
      const bytes = Buffer.from(png);
      await orm
        .insert(icon)
        .values({ accountId, host, png: bytes, at: now })
        .onConflictDoUpdate({
          target: [icon.accountId, icon.host],
          set: { png: bytes },
          setWhere: ne(icon.png, bytes),
        })
        .run();
    }
    const own = eq(icon.accountId, accountId);
    const kept = await orm.select({ count: count() }).from(icon).where(own).get();
    const over = (kept?.count ?? 0) - MAX_ICONS;
    if (over <= 0) return;
    const first = sql`select host from ${icon} where ${own} order by at, host limit ${over}`;
    await orm
      .delete(icon)
      .where(and(own, sql`host in (${first})`))
      .run();
  });

/** Returns the pictures that an account has of some hosts, in the order of their names. */
export const readIcons = async (
  store: Store,
  accountId: number,
  hosts: readonly string[],
): Promise<readonly Icon[]> => {
  const rows = await store.reader
    .select({ host: icon.host, png: icon.png })
    .from(icon)
    .where(and(eq(icon.accountId, accountId), inArray(icon.host, [...hosts])))
    .orderBy(icon.host)
    .all();
  return rows.map(({ host, png }) => ({ host, png: Buffer.from(png).toString("base64") }));
};
