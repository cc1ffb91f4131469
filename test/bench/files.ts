import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { newTaskBody } from "./data.ts";
import { indexed } from "./growth.ts";
import { shown } from "./report.ts";
import { ownerOf, type Seed } from "./seed.ts";
import { startDocket } from "./servers.ts";

const API = "/api/public/v1";

/** Creates one after the other: so few that SQLite does not begin its log again meanwhile. */
const CREATES = 50;

/** So many logs of creates. In the first, more pages are split: after a seed in order, those of the indexes are full. */
const LOGS = 5;

/** In bytes: the head of SQLite's log, and that of each page in it (sqlite.org/fileformat2.html, section 4.1). */
const LOG_HEAD = 32;
const PAGE_HEAD = 24;

/** Says what a change writes to SQLite's log, and how large the files are. It changes the seed. */
export const measureFiles = async (
  program: readonly string[],
  { directory, owners }: Seed,
): Promise<readonly string[]> => {
  // A clean stop leaves an empty log.
  await (await startDocket(program, directory)).stop();
  const bytes: number[] = [];
  for (let from = 0; from < LOGS * CREATES; from += CREATES)
    bytes.push(await bytesOfCreate(program, { directory, owners }, from));
  const { url, stop } = await startDocket(program, directory);
  for (const owner of Object.values(owners)) await indexed({ url, owner });
  await stop();
  const written = sizeOf(directory);
  const { payload, page } = sizesIn(join(directory, "docket.db"));
  const pages = bytes.map((one) => one / (page + PAGE_HEAD));
  const mean = pages.reduce((sum, one) => sum + one, 0) / LOGS;
  const spread = `${shown(Math.min(...pages))} to ${shown(Math.max(...pages))}`;
  return [
    `A POST /tasks writes ${shown(mean)} pages of ${page} bytes to SQLite's log (${spread}).`,
    `Files of ${shown(written / 1e6)} MB: ${shown(written / payload)} bytes for a byte of the payloads.`,
  ];
};

/** Makes tasks at a new server, and returns how much its log grew by each of them. */
const bytesOfCreate = async (
  program: readonly string[],
  seed: Seed,
  from: number,
): Promise<number> => {
  const { url, stop } = await startDocket(program, seed.directory);
  const { session } = ownerOf(seed, "ann");
  const headers = { authorization: `Bearer ${session}`, "content-type": "application/json" };
  const log = join(seed.directory, "docket.db-wal");
  const before = existsSync(log) ? statSync(log).size : LOG_HEAD;
  for (let at = from; at < from + CREATES; at += 1) {
    const reply = await fetch(`${url}${API}/tasks`, {
      method: "POST",
      headers,
      body: newTaskBody(at),
    });
    if (reply.status !== 201) throw new Error(`A task was answered ${reply.status}.`);
  }
  const grown = statSync(log).size - before;
  await stop();
  return grown / CREATES;
};

const sizeOf = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

/** In bytes: all payloads together, and a page of the database. */
const sizesIn = (file: string): { readonly payload: number; readonly page: number } => {
  const database = new Database(file, { readonly: true });
  const one = (sql: string): number => Number(database.query(sql).values()[0]?.[0]);
  const payload = one("SELECT sum(octet_length(payload)) FROM record");
  const page = one("PRAGMA page_size");
  database.close();
  return { payload, page };
};
