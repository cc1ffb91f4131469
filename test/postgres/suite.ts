import { startPostgres } from "../support/postgres.ts";

// Runs tests of the server on PostgreSQL instead of the embedded database: `bun run test:postgres [FOLDER ...]`.
// Without a folder, all that clients, agents and people see. It takes a quarter of an hour, too long for each run of the CI.
const ROOMS = ["http", "import", "mcp", "model", "sandbox", "sync", "web"].map(
  (room) => `test/${room}/`,
);
const folders = process.argv.slice(2);
const postgres = await startPostgres(["max_connections=300"]);
const database = await postgres.database("tests");
const child = Bun.spawn(["bun", "run", "test", ...(folders.length > 0 ? folders : ROOMS)], {
  env: { ...process.env, DOCKET_TEST_DATABASE: database },
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit",
});
process.exitCode = await child.exited;
await postgres.end();
