import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaStatements } from "./ddl.ts";

// Writes the SQL that makes the tables in an empty database. Later versions of the schema get files of their own.
const folder = join("drizzle", "postgres");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "0000_first.sql"), `${schemaStatements().join(";\n\n")};\n`);
