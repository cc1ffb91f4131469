import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaStatements, statementsIn } from "./ddl.ts";

// Writes the SQL that brings the tables of the version before up to date, in a file of its own: what the schema has and no
// file makes. A change of a table that is there already is written by hand.
const folder = join("drizzle", "postgres");
mkdirSync(folder, { recursive: true });
const made = new Set(statementsIn(folder));
const missing = schemaStatements().filter((statement) => !made.has(statement));
const number = String(readdirSync(folder).length).padStart(4, "0");
if (missing.length > 0)
  writeFileSync(join(folder, `${number}_new.sql`), `${missing.join(";\n\n")};\n`);
