import { describe, expect, test } from "bun:test";
import { VERSION } from "../../src/domain/base/release.ts";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SANDBOX_OWNER, SANDBOX_SECRETS } from "../../src/sandbox/account.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { ask, startSandbox } from "../support/sandbox/sandbox.ts";

describe("docket serve --sandbox", () => {
  test("prints its credentials, says what it is, and leaves nothing behind", async () => {
    const { url, printed, said, stop } = await startSandbox();
    const directory = /Data {4}(\S+)/.exec(printed())?.[1] ?? "";
    expect(printed()).toBe(
      [
        `Docket ${VERSION} is listening on ${url}`,
        `  Tasks   ${url.replace("127.0.0.1", "localhost")}/tasks`,
        `  Account ${url.replace("127.0.0.1", "localhost")}/account`,
        `  API     ${url}/api/public/v1`,
        `  Docs    ${url}/docs`,
        `  Data    ${directory}`,
        `  Clock   ${url}/sandbox/clock`,
        "  Sign in as sandbox@example.org with the password: only for the sandbox",
        "Its session token and API keys are the same every time:",
        `export DOCKET_URL=${url}`,
        ...Object.entries(SANDBOX_SECRETS).map(([name, secret]) => `export ${name}=${secret}`),
        "",
      ].join("\n"),
    );
    while (said() === "") await Bun.sleep(10);
    expect(said()).toStartWith("THIS IS A SANDBOX, for development only.");
    expect(existsSync(join(directory, "docket.db"))).toBe(true);
    expect(await stop()).toBe(0);
    expect(existsSync(directory)).toBe(false);
  });

  test("lets its owner sign in to the pages", async () => {
    const { url, stop } = await startSandbox();
    const reply = await fetch(`${url}/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ ...SANDBOX_OWNER }),
    });
    expect(reply.status).toBe(303);
    expect(reply.headers.get("location")).not.toContain("sign-in");
    await stop();
  });

  test("starts afresh each time, with the same token", async () => {
    const first = await startSandbox();
    await ask(first.url, "/tasks", { body: { title: "Gone tomorrow" } });
    expect((await ask(first.url, "/tasks")).json.tasks).toHaveLength(1);
    await first.stop();
    const second = await startSandbox();
    expect((await ask(second.url, "/tasks")).json.tasks).toEqual([]);
    await second.stop();
  });

  const PUBLIC =
    "docket: Everyone knows a sandbox's passwords, so it listens on 127.0.0.1 only. Leave out --host, --public-url and " +
    "--allowed-hosts, and unset DOCKET_HOST, DOCKET_PUBLIC_URL and DOCKET_ALLOWED_HOSTS.\n";

  test.each<[readonly string[], Record<string, string>, string]>([
    [["--host", "0.0.0.0"], {}, PUBLIC],
    [["--host", "::"], {}, PUBLIC],
    [[], { DOCKET_HOST: "192.168.0.7" }, PUBLIC],
    [["--public-url", "https://docket.example"], {}, PUBLIC],
    [[], { DOCKET_ALLOWED_HOSTS: "nas" }, PUBLIC],
    [
      ["--data", "here"],
      {},
      "docket: A sandbox keeps its data in a temporary directory and deletes them when it stops. Leave out --data.\n",
    ],
  ])("refuses %j with %j", async (words, env, err) => {
    const cwd = testDirectory();
    const TMPDIR = testDirectory();
    const refused = await run(DOCKET, ["serve", "--sandbox", "--port", "0", ...words], {
      cwd,
      env: { ...env, TMPDIR },
    });
    expect(refused).toEqual({ code: 2, out: "", err });
    expect([readdirSync(cwd), readdirSync(TMPDIR)]).toEqual([[], []]);
  });

  test("leaves nothing behind if the port is taken", async () => {
    const { url, stop } = await startSandbox();
    const env = { TMPDIR: testDirectory() };
    const words = ["serve", "--sandbox", "--port", new URL(url).port];
    const { code, err } = await run(DOCKET, words, { env });
    expect([code, err.includes("already listening on this port")]).toEqual([1, true]);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
    await stop();
  });

  test("does not touch the data of the server that DOCKET_DATA names", async () => {
    const directory = join(testDirectory(), "data");
    const sandbox = Bun.spawn([...DOCKET, "serve", "--sandbox", "--port", "0"], {
      env: { PATH: process.env["PATH"] ?? "", HOME: testDirectory(), DOCKET_DATA: directory },
      stdout: "pipe",
      stderr: "ignore",
    });
    const reader = sandbox.stdout.getReader();
    const text = new TextDecoder().decode((await reader.read()).value);
    expect(text).toContain("is listening");
    sandbox.kill("SIGTERM");
    await sandbox.exited;
    expect(existsSync(directory)).toBe(false);
  });
});

test("The guide for authors has the sandbox's secrets, and everything that one can ask of it", async () => {
  const guide = await Bun.file(join(import.meta.dir, "../../src/reference/guides/sync.md")).text();
  for (const secret of [...Object.values(SANDBOX_OWNER), ...Object.values(SANDBOX_SECRETS)])
    expect(guide).toContain(`\`${secret}\``);
  const { url, stop } = await startSandbox();
  const { json } = await ask(url, "/me", { wish: "teapot" });
  const known = /It knows: (.*)\.$/.exec(json.error)?.[1]?.split(", ") ?? [];
  for (const wish of known) expect(guide).toContain(`\`${wish}\``);
  expect(known).toHaveLength(9);
  await stop();
});
