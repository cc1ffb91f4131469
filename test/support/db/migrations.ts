import { onTestFinished } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The migrations as they are committed. */
export const COMMITTED = join(import.meta.dir, "../../../drizzle");

export type Journal = {
  readonly entries: readonly {
    readonly idx: number;
    readonly when: number;
    readonly tag: string;
  }[];
};

export const readJournal = (folder = COMMITTED): Journal =>
  JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as Journal;

export const migrationText = (tag: string): string =>
  readFileSync(join(COMMITTED, `${tag}.sql`), "utf8");

export const readSnapshot = (idx: number): unknown =>
  JSON.parse(
    readFileSync(join(COMMITTED, `meta/${String(idx).padStart(4, "0")}_snapshot.json`), "utf8"),
  );

/** Only the first migrations, as in an older version of the program. */
export const firstMigrations = (count: number): string => {
  const folder = mkdtempSync(join(tmpdir(), "docket-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(COMMITTED, folder, { recursive: true });
  const journal = readJournal();
  const entries = journal.entries.slice(0, count);
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
  return folder;
};

/** The statements of the program's next version, after the committed ones. */
export const nextMigrations = (statements: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "docket-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(COMMITTED, folder, { recursive: true });
  const journal = readJournal(folder);
  const last = journal.entries.at(-1);
  const next = {
    ...last,
    idx: journal.entries.length,
    when: (last?.when ?? 0) + 1,
    tag: "9999_next",
  };
  writeFileSync(
    join(folder, "meta/_journal.json"),
    JSON.stringify({ ...journal, entries: [...journal.entries, next] }),
  );
  writeFileSync(join(folder, "9999_next.sql"), statements.join("\n--> statement-breakpoint\n"));
  return folder;
};
