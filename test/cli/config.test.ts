import { expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

type Row = { readonly setting: string; readonly value: string | null; readonly from: string };

const settingsOf = async (
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, Row>> => {
  const { code, out, err } = await run(DOCKET, ["config", "--json", ...words], { env });
  if (code !== 0) throw new Error(err);
  return new Map((JSON.parse(out) as readonly Row[]).map((row) => [row.setting, row]));
};

test("every setting is there, with its default", async () => {
  const settings = await settingsOf([]);
  expect([...settings.keys()]).toEqual(Object.keys(SETTINGS));
  expect([...settings.values()].filter(({ from }) => from !== "default")).toEqual([]);
  expect(settings.get("port")?.value).toBe("3625");
  expect(settings.get("public-url")?.value).toBeNull();
});

test("each says which flag, variable or file it comes from; a flag wins", async () => {
  const file = join(testDirectory(), "hosts");
  await Bun.write(file, "nas.lan\n");
  const settings = await settingsOf(["--port", "1", "--data", "/srv/docket"], {
    DOCKET_PORT: "2",
    DOCKET_RATE_PER_HOUR: "7",
    DOCKET_ALLOWED_HOSTS_FILE: file,
  });
  const found = ["port", "rate-per-hour", "allowed-hosts", "data", "backups"].map((name) => {
    const { value, from } = settings.get(name) ?? {};
    return [name, value, from];
  });
  expect(found).toEqual([
    ["port", "1", "--port"],
    ["rate-per-hour", "7", "DOCKET_RATE_PER_HOUR"],
    ["allowed-hosts", "nas.lan", "DOCKET_ALLOWED_HOSTS_FILE"],
    ["data", "/srv/docket", "--data"],
    ["backups", "/srv/docket/backups", "default"],
  ]);
});

test("no secret is printed, however it is given", async () => {
  const file = join(testDirectory(), "secret");
  await Bun.write(file, "hunter2");
  const provider = { DOCKET_OIDC_ISSUER: "https://id.example", DOCKET_OIDC_CLIENT_ID: "docket" };
  for (const database of [
    "postgres://docket:hunter2@db.example/docket",
    "postgres://docket:hunter2@hunter2@db.example/docket",
    "postgres://db.example/docket?user=docket&password=hunter2",
    "postgres://db.example/docket?sslpassword=hunter2&user=docket",
  ])
    for (const secret of [
      { DOCKET_OIDC_CLIENT_SECRET: "hunter2" },
      { DOCKET_OIDC_CLIENT_SECRET_FILE: file },
    ]) {
      const env = { ...provider, ...secret, DOCKET_DATABASE: database };
      const { code, out, err } = await run(DOCKET, ["config"], { env });
      expect([code, err]).toEqual([0, ""]);
      expect(out).not.toContain("hunter2");
      expect(out).toContain("db.example/docket");
    }
});

test("a bad value is refused as a server refuses it", async () => {
  const { code, err } = await run(DOCKET, ["config", "--port", "x"]);
  expect([code, err]).toEqual([2, expect.stringContaining("port")]);
});

test.each(Object.keys(SETTINGS))("an empty %s is refused, wherever it comes from", (name) => {
  const file = `DOCKET_${name.toUpperCase().replaceAll("-", "_")}_FILE`;
  const refusal = `${name} is empty. Give it a value, or leave it out.`;
  expect(() => readConfig({ [name]: "" }, {}, () => "")).toThrow(refusal);
  expect(() => readConfig({}, { [file]: "/empty" }, () => "\n")).toThrow(refusal);
});

test.each([
  ["a file", "data", "/dev/null", "A file is in the way. Choose another place. (EEXIST"],
  ["a place in a file", "data", "/dev/null/x", "A file is where a directory should be. Check the"],
  ["a long name", "data", "long".repeat(99), "This name is too long. Choose a shorter one. (ENAM"],
  ["another machine's address", "host", "192.0.2.1", "This machine does not have that address. "],
])("a start says what is wrong with %s as its --%s", async (_what, setting, value, sentence) => {
  const words = ["serve", "--data", testDirectory(), "--port", "0", `--${setting}`, value];
  const { code, err } = await run(DOCKET, words);
  expect([code, err.slice(0, 8 + sentence.length)]).toEqual([1, `docket: ${sentence}`]);
});
