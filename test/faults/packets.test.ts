import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildBinary, run, serve } from "../support/program.ts";
import { send, testDirectory } from "../support/server.ts";
import { testWith } from "../support/faults/needs.ts";

testWith(
  ["strace"],
  "a long reply to a key, which waits for a commit, leaves in a few packets",
  async () => {
    const binary = await buildBinary();
    const data = testDirectory();
    const words = (...all: readonly string[]) => [...all, "--data", data];
    const password = { input: "correct horse battery staple\n" };
    await run(binary, words("account", "add", "ann@example.org", "--password-stdin"), password);
    const key = words("key", "create", "--name", "helper", "--scopes", "read,write");
    const token = (await run(binary, key)).out.trim();
    const server = await serve(binary, words());
    const api = `${server.url}/api/public/v1`;
    for (let at = 0; at < 40; at += 1)
      await send("POST", `${api}/tasks`, {
        token,
        body: { title: `Task ${at} ${"x".repeat(400)}` },
      });
    const trace = join(testDirectory(), "trace");
    const calls = "trace=sendto,sendmsg,write,writev";
    const strace = Bun.spawn(["strace", "-f", "-e", calls, "-o", trace, "-p", `${server.pid}`], {
      stderr: "pipe",
    });
    for await (const said of strace.stderr)
      if (new TextDecoder().decode(said).includes("attached")) break;
    const { status, text } = await send("GET", `${api}/tasks`, { token });
    strace.kill("SIGINT");
    await strace.exited;
    await server.stop();
    expect([status, text.length > 20_000]).toEqual([200, true]);
    const sent = readFileSync(trace, "utf8").match(/^.*(?:sendto|sendmsg|writev?)\(.*$/gm) ?? [];
    const replies = sent.filter((line) => /HTTP\/1\.1|: |xxxx/.test(line));
    expect(replies.length).toBeGreaterThan(0);
    expect(replies.length).toBeLessThan(6);
  },
);
