import type { Answered } from "../../src/server/call.ts";
import { expect, onTestFinished, test } from "bun:test";
import { mount, newEntryPoint, serveEntryPoints } from "../../src/server/elysia.ts";
import { openForTest } from "../support/db/store.ts";
import { testClock } from "../support/server.ts";
import { serviceFor } from "../support/service.ts";

const bug = new Error("a bug");
const ENDPOINT = { method: "GET", path: "/bug" } as const;

test.each<[string, () => Answered]>([
  [
    "throws",
    () => {
      throw bug;
    },
  ],
  [
    "throws later",
    async () => {
      await Bun.sleep(1);
      throw bug;
    },
  ],
  ["returns what is rejected later", () => Bun.sleep(1).then(() => Promise.reject(bug))],
])(
  "A handler that %s is a bug like any other: logged, and answered with 500",
  async (_name, handle) => {
    const said: { level: string; cause?: string }[] = [];
    const service = serviceFor(await openForTest(), testClock(), (line) =>
      said.push(JSON.parse(line)),
    );
    const app = newEntryPoint(service);
    mount(app, ENDPOINT, handle);
    const handlers = serveEntryPoints(service, [{ endpoints: [ENDPOINT], app }], async () => []);
    const server = Bun.serve({ ...handlers, hostname: "127.0.0.1", port: 0 });
    onTestFinished(() => server.stop(true));
    const reply = await fetch(`http://127.0.0.1:${server.port}/bug`);
    expect(reply.status).toBe(500);
    expect(await reply.json()).toEqual({ error: "Internal error." });
    expect(reply.headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    const errors = said.filter(({ level }) => level === "error");
    expect(errors.map(({ cause }) => cause?.split("\n")[0])).toEqual(["Error: a bug"]);
  },
);
