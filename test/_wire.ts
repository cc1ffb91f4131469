import { openPull, pullRows } from "../src/db/pull.ts";
import { pushChanges, readServerRow } from "../src/db/push.ts";
import type { Store } from "../src/db/open.ts";
import { formatInstant, type Instant } from "../src/instant.ts";
import { TABLES } from "../src/record.ts";
import type { PullReply, PushReply, Wire } from "./_client.ts";
import { send } from "./_server.ts";

/**
 * Sync over a real socket: `url` is where the server listens, which may change over a restart.
 * `meanwhile` happens while a pull is being answered.
 */
export const httpWire = (
  url: () => string,
  token: string,
  meanwhile: () => Promise<void> = async () => {},
): Wire => {
  const address = () => `${url()}/api/public/v1/sync`;
  return {
    pull: async (since, limit) => {
      const query = new URLSearchParams({
        ...(since === null ? {} : { since }),
        ...(limit === null ? {} : { limit: String(limit) }),
      });
      const [{ status, json, text }] = await Promise.all([
        send("GET", `${address()}?${query}`, { token }),
        meanwhile(),
      ]);
      if (status !== 200) throw new Error(`GET /sync: ${status} ${text}`);
      return json as PullReply;
    },
    push: async (changes) => {
      const { status, json, text } = await send("POST", address(), { token, body: changes });
      if (status !== 200) throw new Error(`POST /sync: ${status} ${text}`);
      return json as PushReply;
    },
  };
};

/**
 * Sync past HTTP, through the functions that the handlers call: fast enough for thousands of
 * histories. `meanwhile` begins while a pull is being opened and ends before its rows are read, as
 * with a reply that is streamed while others write.
 */
export const storeWire = (
  store: () => Store,
  accountId: number,
  now: () => Instant,
  meanwhile: () => Promise<void> = async () => {},
): Wire => ({
  pull: async (since, limit) => {
    const from = since === null ? null : Date.parse(since);
    const [pull] = await Promise.all([
      openPull(store(), accountId, from, limit, now()),
      meanwhile(),
    ]);
    const changes: [string, unknown][] = [];
    for (const table of TABLES) {
      const chunks = pull.empty
        ? []
        : await Array.fromAsync(pullRows(store(), accountId, table, pull));
      changes.push([table, chunks.flat().map((row) => JSON.parse(row) as unknown)]);
    }
    return {
      server_time: formatInstant(pull.until),
      epoch: pull.epoch,
      has_more: pull.hasMore,
      changes: Object.fromEntries(changes) as PullReply["changes"],
    };
  },
  push: async (changes) => {
    const { applied, rejected, invalid } = await pushChanges(
      store(),
      accountId,
      null,
      changes,
      now(),
    );
    const answered = rejected.map(async (rejection) => {
      const { table, id, reason } = rejection;
      const row: unknown = JSON.parse(await readServerRow(store(), accountId, rejection));
      return { table, id, reason, server_row: row } as PushReply["rejected"][0];
    });
    return {
      applied,
      rejected: await Promise.all(answered),
      merged: [],
      invalid,
    };
  },
});
