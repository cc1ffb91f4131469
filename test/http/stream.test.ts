import { expect, test } from "bun:test";
import { change, newcomer, sharedServer, V1 } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

/** Text that cannot be compressed. */
const noise = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64");

/** A pull as it arrives, not decompressed. */
const pullRaw = (token: string, accepts: string, query = "") =>
  fetch(`${server.url}${V1}/sync${query}`, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": accepts },
    decompress: false,
  });

const unpack = (encoding: string | null, bytes: Uint8Array<ArrayBuffer>): string => {
  const plain =
    encoding === "gzip"
      ? Bun.gunzipSync(bytes)
      : encoding === "zstd"
        ? Bun.zstdDecompressSync(bytes)
        : bytes;
  return new TextDecoder().decode(plain);
};

const ACCEPTED: readonly (readonly [string, string | null])[] = [
  ["identity", null],
  ["gzip", "gzip"],
  ["zstd", "zstd"],
  ["gzip, deflate, br, zstd", "zstd"],
  ["GZIP ; q=0.5", "gzip"],
  ["gzip;q=0, zstd; q=0.000", null],
  ["gzip;q=1, zstd;q=0", "gzip"],
  ["br", null],
  ["deflate", null],
  ["x-gzip", null],
  ["gzipped", null],
];

test.each(ACCEPTED)("A client that accepts %s gets %j", async (accepts, encoding) => {
  const { session: token } = await newcomer(server);
  await call("POST", "/sync", {
    token,
    body: [change("sync_tasks", "t", { x: "y".repeat(2_000) })],
  });
  const response = await pullRaw(token, accepts);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get("content-encoding")).toBe(encoding);
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  expect(response.headers.get("content-length")).toBe(String(bytes.length));
  expect(bytes.length < 2_000).toBe(encoding !== null);
  const plain = await pullRaw(token, "identity");
  expect(unpack(encoding, bytes)).toBe(await plain.text());
});

test("A short reply is not compressed", async () => {
  const { session: token } = await newcomer(server);
  const response = await pullRaw(token, "gzip, zstd");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  expect(((await response.json()) as { has_more: boolean }).has_more).toBe(false);
});

const REV = /,"rev":"[0-9a-z-]+"(?=\})/g;

test.each([["identity"], ["gzip"], ["zstd"]])(
  "Several megabytes are streamed (%s), equal to what was pushed, while other calls are answered",
  async (accepts) => {
    const { session: token } = await newcomer(server);
    const rows: string[] = [];
    for (const part of [0, 1, 2]) {
      const records = Array.from({ length: 200 }, (_, n) => {
        const id = `t${part}-${String(n).padStart(3, "0")}`;
        const payload = { title: `cut \ud83d ${n}`, fill: noise(n % 50 === 0 ? 200_000 : 5_000) };
        rows.push(
          `{"id":"${id}","updated_at":"2026-03-04T12:00:00.000Z","deleted_at":null,` +
            `"payload":${JSON.stringify(payload)},"created_by":"person"}`,
        );
        return change("sync_tasks", id, payload);
      });
      expect((await call("POST", "/sync", { token, body: records })).json.applied).toBe(200);
    }
    const response = await pullRaw(token, accepts);
    expect(response.headers.get("content-length")).toBeNull();
    // The reply has begun and nobody reads it yet, but the server is not held up.
    expect((await call("GET", "/me", { token })).status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = unpack(response.headers.get("content-encoding"), bytes);
    expect(bytes.length).toBeGreaterThan(5_000_000);
    const start = text.indexOf('"sync_tasks":[') + '"sync_tasks":['.length;
    expect(text.slice(start).replaceAll(REV, "")).toBe(
      `${rows.join(",")}],"sync_projects":[],"sync_buckets":[]}}`,
    );
  },
);

test("A client that goes away in the middle of a pull harms nobody", async () => {
  const { session: token } = await newcomer(server);
  const records = Array.from({ length: 100 }, (_, n) =>
    change("sync_tasks", `t${n}`, { fill: noise(20_000) }),
  );
  await call("POST", "/sync", { token, body: records });
  for (const accepts of ["identity", "gzip", "zstd"]) {
    const response = await pullRaw(token, accepts);
    await response.body?.cancel();
    const head = await call("HEAD", "/sync", { token, headers: { "accept-encoding": accepts } });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBeNull();
  }
  const { json } = await call("GET", "/sync", { token });
  expect(json.changes.sync_tasks).toHaveLength(100);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test("A record that changes while it is streamed comes with the next pull", async () => {
  const { session: token } = await newcomer(server);
  const records = Array.from({ length: 300 }, (_, n) =>
    change("sync_tasks", `t${String(n).padStart(3, "0")}`, { n, fill: noise(20_000) }),
  );
  await call("POST", "/sync", { token, body: records });
  const response = await pullRaw(token, "identity");
  const late = change("sync_tasks", "t299", { n: -1 }, { updated_at: "2026-03-04T12:00:01Z" });
  await call("POST", "/sync", { token, body: [late] });
  const first = (await response.json()) as {
    server_time: string;
    changes: { sync_tasks: { id: string; payload: { n: number } }[] };
  };
  const next = await call("GET", `/sync?since=${first.server_time}`, { token });
  const held = new Map(
    [
      ...first.changes.sync_tasks,
      ...(next.json.changes.sync_tasks as typeof first.changes.sync_tasks),
    ].map(({ id, payload }) => [id, payload.n]),
  );
  expect(held.size).toBe(300);
  expect(held.get("t299")).toBe(-1);
});
