import { expect, test } from "bun:test";
import { join } from "node:path";
import { schemaStatements, statementsIn } from "../../../src/db/postgres/ddl.ts";

const FOLDER = join(import.meta.dir, "../../../drizzle/postgres");

test("the committed SQL for PostgreSQL makes the tables that the queries are written for", () => {
  expect(statementsIn(FOLDER).toSorted()).toEqual(schemaStatements().toSorted());
});
