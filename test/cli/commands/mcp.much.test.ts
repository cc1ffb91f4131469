import { describe, expect, test } from "bun:test";
import { askOnLines, request } from "../../support/bridge.ts";
import { DOCKET } from "../../support/docket.ts";
import { plainEnvironment } from "../../support/program.ts";
import { echo, environment, stranger } from "../../support/stranger.ts";

describe("many messages at once", () => {
  test("a client that does not wait has at most 64 messages in progress", async () => {
    let [underWay, most] = [0, 0];
    const { url } = stranger(async (_request, body) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Bun.sleep(20);
      underWay -= 1;
      return Response.json({ jsonrpc: "2.0", id: JSON.parse(body).id, result: {} });
    });
    const pings = Array.from({ length: 300 }, (_, id) => request(id, "ping"));
    expect((await askOnLines(environment(url), pings)).replies.length).toBe(300);
    expect(most).toBe(64);
  });

  test("a client that reads late gets every reply", async () => {
    const { url } = echo(() => ({ text: "x".repeat(1_000_000) }));
    const lines = Array.from({ length: 12 }, (_, id) => JSON.stringify(request(id, "ping")));
    // Bun would read ahead. This reader leaves the output in the pipe.
    const late = ["bash", "-o", "pipefail", "-c", '"$@" | { sleep 1; cat; }', "late"];
    const child = Bun.spawn([...late, ...DOCKET, "mcp"], {
      env: plainEnvironment(environment(url)),
      stdin: Buffer.from(lines.join("\n")),
      stdout: "pipe",
    });
    const out = await new Response(child.stdout).text();
    const ids = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id as number);
    expect(ids.toSorted((a, b) => a - b)).toEqual(lines.map((_, id) => id));
    expect(await child.exited).toBe(0);
  });

  test("a cancelled request is dropped and gets no reply", async () => {
    const [asked, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { url } = stranger((heard) => {
      heard.signal.addEventListener("abort", () => hungUp.resolve());
      asked.resolve();
      return new Promise(() => {});
    });
    const cancelled = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    };
    const child = Bun.spawn([...DOCKET, "mcp"], {
      env: plainEnvironment(environment(url)),
      stdin: "pipe",
      stdout: "pipe",
    });
    child.stdin.write(`${JSON.stringify(request(1, "ping"))}\n`);
    await child.stdin.flush();
    await asked.promise;
    child.stdin.write(`${JSON.stringify(cancelled)}\n`);
    await child.stdin.flush();
    await hungUp.promise;
    await child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe("");
  });
});
