import { startPostgres } from "../support/postgres.ts";

// Runs tests of the server on PostgreSQL instead of the embedded database: `bun run test:postgres [FOLDER ...]`.
const folders = process.argv.slice(2);
const postgres = await startPostgres(["max_connections=300"]);
const database = await postgres.database("tests");
const child = Bun.spawn(
  ["bun", "run", "test", ...(folders.length > 0 ? folders : ["test/http/", "test/sync/"])],
  {
    env: { ...process.env, DOCKET_TEST_DATABASE: database },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  },
);
process.exitCode = await child.exited;
await postgres.end();
