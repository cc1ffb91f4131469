import { expect, test } from "bun:test";
import { SANDBOX_SECRETS } from "../../src/sandbox/account.ts";
import { buildBinary, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { ask, startSandbox } from "../support/sandbox/sandbox.ts";

const PASSED = /^\d\d passed, 0 failed, 0 skipped\.$/m;

test("The executable passes its own selftest, with credentials that its commands make", async () => {
  const binary = await buildBinary();
  const data = ["--data", testDirectory()];
  const docket = async (...words: string[]): Promise<string> =>
    (await run(binary, [...words, ...data])).out.trim();
  await docket("account", "add", "selftest@example.org");
  const key = (scopes: string): Promise<string> =>
    docket("key", "create", "--name", "selftest", "--scopes", scopes);
  const env = {
    DOCKET_SESSION_TOKEN: await docket("session", "create"),
    DOCKET_API_KEY: await key("read,write"),
    DOCKET_READ_KEY: await key("read"),
    DOCKET_WRITE_KEY: await key("write"),
  };
  const server = await serve(binary, [...data, "--log", "off"]);
  const { code, err } = await run(binary, ["selftest", server.url], { env });
  await server.stop();
  expect([code, err]).toEqual([0, expect.stringMatching(PASSED)]);
});

test("A sandbox passes the selftest, with the credentials that it prints", async () => {
  const binary = await buildBinary();
  const { url } = await startSandbox([], binary);
  const { code, err } = await run(binary, ["selftest"], {
    env: { DOCKET_URL: url, ...SANDBOX_SECRETS },
  });
  expect([code, err]).toEqual([0, expect.stringMatching(PASSED)]);
  expect((await ask(url, "/tasks")).json.tasks).toEqual([]);
});
