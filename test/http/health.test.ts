import { expect, test } from "bun:test";
import { expectRefusal, sharedServer } from "../support/replies.ts";
import { startServer } from "../support/server.ts";

const server = await sharedServer();

test.each([
  ["/healthz", { status: "ok" }],
  ["/readyz", { status: "ready" }],
])("%s answers anyone", async (path, body) => {
  for (const token of [undefined, "nonsense"]) {
    const answer = await server.call("GET", `!${path}`, { token });
    expect([answer.status, answer.json]).toEqual([200, body]);
    const head = await server.call("HEAD", `!${path}`, { token });
    expect([head.status, head.text]).toEqual([200, ""]);
  }
});

test("/readyz reports that the data cannot be read, while /healthz still answers", async () => {
  const broken = await startServer();
  const rename = (from: string, to: string) =>
    broken.store.writer.write(async (tx) => {
      await tx.orm.run(`ALTER TABLE ${from} RENAME TO ${to}`);
    });
  await rename("server", "hidden");
  const answer = await broken.call("GET", "!/readyz");
  expectRefusal(answer, 503, "The database cannot be read right now.");
  expect(answer.headers.get("retry-after")).toBe("5");
  expect((await broken.call("GET", "!/healthz")).status).toBe(200);
  await rename("hidden", "server");
  expect((await broken.call("GET", "!/readyz")).status).toBe(200);
  await broken.stop();
});
