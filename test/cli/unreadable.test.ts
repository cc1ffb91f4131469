import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { makeCredentials } from "../support/process.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const COMMANDS: readonly (readonly string[])[] = [
  ["account", "list"],
  ["backup", "copy.db"],
  ["backups", "list"],
  ["backups", "prune"],
  ["drill"],
  ["export"],
  ["key", "list"],
  ["restored"],
];

/** Runs a command as a user to whom none of the data belong. */
const asOther = async () => {
  const place = testDirectory();
  const docket = join(place, "docket");
  copyFileSync(DOCKET[0] ?? "", docket);
  for (const path of [place, docket]) chmodSync(path, 0o755);
  return (words: readonly string[]) =>
    run(["runuser", "-u", "nobody", "--", docket], words, { cwd: "/" });
};

for (const [where, mode] of [
  ["a directory of another user", 0o700],
  ["files of another user", 0o755],
] as const)
  test.skipIf(process.getuid?.() !== 0)(
    `Every command says of ${where} that this user may not read it, not that nothing is there`,
    async () => {
      const data = testDirectory();
      await makeCredentials(data);
      chmodSync(data, mode);
      const other = await asOther();
      const sentence = `This user may not read ${join(data, "docket.db")} (EACCES). Run the command as the user to whom it belongs, or as root.`;
      for (const words of COMMANDS)
        expect([words, await other([...words, "--data", data])]).toEqual([
          words,
          { code: 1, out: "", err: `docket: ${sentence}\n` },
        ]);
      const { out } = await other(["doctor", "--json", "--data", data]);
      expect(JSON.parse(out)[0]).toEqual({
        about: "data",
        state: "problem",
        found: sentence,
        mend: "Do what this says, then run `docket doctor` again.",
      });
    },
  );

test("Every command, and a start, says that another program keeps the database locked", async () => {
  const data = testDirectory();
  await makeCredentials(data);
  const file = join(data, "docket.db");
  using other = new Database(file);
  other.run("PRAGMA locking_mode = EXCLUSIVE");
  other.run("BEGIN EXCLUSIVE");
  other.run("CREATE TABLE theirs (name TEXT)");
  const sentence = `Another program keeps ${file} locked. Try again. If that does not help, find it (lsof ${file}) and end it.`;
  const copy = join(testDirectory(), "copy.db");
  const asked = [
    ["account", "list"],
    ["backup", copy],
    ["drill", file],
    ["serve", "--port", "0"],
  ];
  const said = asked.map(async (words) => (await run(DOCKET, [...words, "--data", data])).err);
  expect(await Promise.all(said)).toEqual(asked.map(() => `docket: ${sentence}\n`));
  const { out } = await run(DOCKET, ["doctor", "--json", "--data", data]);
  expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ found: sentence }));
});
