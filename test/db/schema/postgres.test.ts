import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaStatements } from "../../../src/db/postgres/ddl.ts";

const FOLDER = join(import.meta.dir, "../../../drizzle/postgres");

// A later change of the schema gets a file of its own, with what brings the tables of the version before up to date. Then this
// test compares what all files make.
test("the committed SQL for PostgreSQL makes the tables that the queries are written for", () => {
  const files = readdirSync(FOLDER).toSorted();
  expect(files).toEqual(["0000_first.sql"]);
  const text = files.map((name) => readFileSync(join(FOLDER, name), "utf8")).join("\n");
  expect(text).toBe(`${schemaStatements().join(";\n\n")};\n`);
});
