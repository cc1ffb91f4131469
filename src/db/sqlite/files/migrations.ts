import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A change of the schema, as drizzle-kit has generated it. */
export type Migration = {
  readonly statements: readonly string[];
  /** Whether it asks that all stored rows be projected anew: its text holds a line `--> rebuild-projections`. */
  readonly rebuilds: boolean;
  /** SHA-256 of its text: what a database remembers it by. */
  readonly hash: string;
  /** When it was generated, in ms. */
  readonly generatedAt: number;
};

const REBUILD = /^--> rebuild-projections$/m;

/**
 * All migrations in a folder, in their order. As `drizzle-orm/migrator` reads them, but without node:crypto, which
 * would cost every start 3 MB.
 */
export const readMigrations = (folder: string): readonly Migration[] => {
  const journal = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as Journal;
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), "utf8");
    const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    return {
      statements: text.replace(REBUILD, "").split("--> statement-breakpoint"),
      rebuilds: REBUILD.test(text),
      hash,
      generatedAt: when,
    };
  });
};

type Journal = { readonly entries: readonly { readonly tag: string; readonly when: number }[] };
