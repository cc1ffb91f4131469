import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { times } from "../support/random.ts";
import { testDirectory } from "../support/server.ts";

// Requests generated from the OpenAPI document and sent to the running server with every kind of
// credential: valid ones, and ones that break the document's rules in every way that Schemathesis
// knows.

const schemathesis = Bun.which("schemathesis");
const DOCUMENT = join(import.meta.dir, "../openapi.json");

/**
 * Every check except two. A request that matches the document may still name a folder that does not
 * exist. And a push is accepted even if one of its records is invalid: that record is listed in
 * `invalid`, so that it does not hold up the others.
 */
const CONFIG = `
[checks]
positive_data_acceptance.enabled = false

[[operations]]
include-operation-id = "push"
checks.negative_data_rejection.enabled = false
`;

/** Every operation with each parameter at its bounds and beyond, then generated requests. */
const THOROUGH = ["--phases", "examples,coverage,fuzzing", "--max-examples", `${times(1)}`];
const SHORT = ["--phases", "examples,fuzzing", "--max-examples", `${times(1)}`];
/** For those who are refused before anything is read. */
const SHORTEST = ["--phases", "examples"];

const FEW = { DOCKET_RATE_PER_MINUTE: "20" };
const MANY = { DOCKET_RATE_PER_MINUTE: "100000", DOCKET_RATE_PER_HOUR: "100000" };

const directory = testDirectory();
const tokens = new Map<string, string>();

const docket = async (name: string, ...words: readonly string[]): Promise<void> => {
  const { code, out, err } = await run(DOCKET, [...words, "--data", directory]);
  if (code !== 0) throw new Error(err);
  tokens.set(name, out.trim());
};

const makeKey = (name: string, ...words: readonly string[]): Promise<void> =>
  docket(name, "key", "create", "--name", name, ...words);

beforeAll(async () => {
  if (!schemathesis) return;
  await docket("account", "account", "add", "ann@example.org");
  await docket("a session", "session", "create", "--name", "laptop");
  await docket("a device", "session", "create", "--name", "phone");
  await makeKey("a key that reads and writes", "--scopes", "read,write");
  await makeKey("a read-only key", "--scopes", "read");
  await makeKey("a write-only key", "--scopes", "write");
  await makeKey("a key restricted to the inbox", "--scopes", "read,write", "--inbox-only");
  await makeKey("a key over its limit", "--scopes", "read,write");
  tokens.set("an unknown key", `docket_live_${"x".repeat(38)}`);
});

const directoryWithConfig = (): string => {
  const made = testDirectory();
  writeFileSync(join(made, "schemathesis.toml"), CONFIG);
  return made;
};

const CALLERS: readonly [string, readonly string[], Readonly<Record<string, string>>][] = [
  ["a session", SHORT, MANY],
  // What no key may do.
  ["a device", [...THOROUGH, "--include-path-regex", "/(sync|icons)$"], MANY],
  ["a key that reads and writes", THOROUGH, MANY],
  ["a read-only key", SHORT, MANY],
  ["a write-only key", SHORT, MANY],
  ["a key restricted to the inbox", SHORT, MANY],
  ["a key over its limit", SHORTEST, FEW],
  ["an unknown key", SHORTEST, MANY],
];

describe("Requests generated from the OpenAPI document are answered as it says", () => {
  test.skipIf(!schemathesis).each(CALLERS)(
    schemathesis ? "to %s" : "to %s: needs schemathesis",
    async (caller, much, env) => {
      const server = await serve(DOCKET, ["--data", directory, "--log", "json"], { env });
      try {
        const credential = ["--header", `Authorization: Bearer ${tokens.get(caller) ?? ""}`];
        const words = ["run", DOCUMENT, "--url", server.url, "--no-color", "--warnings", "off"];
        const asked = [...words, "--seed", "1", ...credential, ...much];
        const cwd = directoryWithConfig();
        const { code, out } = await run([schemathesis ?? ""], asked, { cwd });
        expect([code, code === 0 ? "" : out]).toEqual([0, ""]);
        expect(server.said()).not.toContain('"status":500');
      } finally {
        await server.stop();
      }
    },
  );
});
