import { closePull, recordSince } from "../../src/db/records/acks.ts";
import { countPull } from "../../src/db/records/sync-counts.ts";
import { openPull, pullRows } from "../../src/db/records/pull.ts";
import { readServerRow } from "../../src/db/records/server-row.ts";
import type { Store } from "../../src/db/store.ts";
import { formatInstant, type Instant } from "../../src/domain/base/instant.ts";
import { TABLES } from "../../src/domain/base/record.ts";
import type { PullReply, PushReply, Wire } from "./client.ts";
import { send } from "./server.ts";
import { pushChanges } from "./rules.ts";

/**
 * Sync over a real socket. `url` returns the server's address, which may change at a restart.
 * `meanwhile` runs while a pull is being answered.
 */
export const httpWire = (
  url: () => string,
  token: string,
  meanwhile: () => Promise<void> = async () => {},
): Wire => {
  const address = (query: Readonly<Record<string, string>>) =>
    `${url()}/api/public/v1/sync?${new URLSearchParams(query)}`;
  return {
    pull: async (since, limit) => {
      const query = {
        ...(since === null ? {} : { since }),
        ...(limit === null ? {} : { limit: String(limit) }),
      };
      const [{ status, json, text }] = await Promise.all([
        send("GET", address(query), { token }),
        meanwhile(),
      ]);
      if (status !== 200) throw new Error(`GET /sync: ${status} ${text}`);
      return json as PullReply;
    },
    push: async (changes, since) => {
      const query = since === undefined ? {} : { since };
      const { status, json, text } = await send("POST", address(query), { token, body: changes });
      if (status !== 200) throw new Error(`POST /sync: ${status} ${text}`);
      return json as PushReply;
    },
  };
};

/** A device's session in the storage. */
export type Line = {
  readonly store: () => Store;
  readonly accountId: number;
  readonly sessionId: string;
  readonly now: () => Instant;
};

/**
 * Sync without HTTP, through the functions that the handlers call: fast enough for thousands of
 * histories. `meanwhile` runs when a pull is open and its rows are not read yet, as in a reply that
 * is streamed while others write.
 */
export const storeWire = (line: Line, meanwhile: () => Promise<void> = async () => {}): Wire => ({
  pull: async (since, limit) => {
    const { store, accountId, sessionId, now } = line;
    const from = since === null ? null : Date.parse(since);
    await recordSince(store(), sessionId, from);
    const pull = await openPull(store(), accountId, from, limit, now());
    await meanwhile();
    const changes: [string, unknown][] = [];
    let rows = 0;
    for (const table of TABLES) {
      const chunks = pull.empty
        ? []
        : await Array.fromAsync(pullRows(store(), accountId, table, pull));
      rows += chunks.flat().length;
      changes.push([table, chunks.flat().map(rowIn)]);
    }
    await closePull(store(), accountId, sessionId, pull, now());
    countPull(store(), { id: sessionId, lastSyncAt: now() }, rows, now());
    return {
      server_time: formatInstant(pull.until),
      epoch: pull.epoch,
      has_more: pull.hasMore,
      changes: Object.fromEntries(changes) as PullReply["changes"],
    };
  },
  push: async (changes, since) => {
    const { store, accountId, sessionId, now } = line;
    const sender = { sessionId, ...(since === undefined ? {} : { since: Date.parse(since) }) };
    const { applied, rejected, merged, invalid } = await pushChanges(
      store(),
      accountId,
      sender,
      changes,
      now(),
    );
    const rowOf = async (listed: (typeof merged)[number]) =>
      rowIn(await readServerRow(store(), accountId, listed)) as Listed["server_row"];
    const refused = rejected.map(async ({ updatedAt, ...listed }) => {
      const server_row = await rowOf({ ...listed, updatedAt });
      return { ...listed, updated_at: updatedAt, server_row };
    });
    const together = merged.map(async (listed) => {
      const { table, id } = listed;
      return { table, id, server_row: await rowOf(listed) };
    });
    return {
      applied,
      rejected: await Promise.all(refused),
      merged: await Promise.all(together),
      invalid,
    };
  },
});

type Listed = PushReply["merged"][number];

/** A row without its revision, which is new with each write. */
const rowIn = (text: string): unknown => {
  const { rev: _rev, ...row } = (JSON.parse(text) ?? {}) as { readonly rev?: string };
  return row;
};
