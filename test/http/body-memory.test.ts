import { expect, test } from "bun:test";
import { startServer } from "../support/server.ts";
import { expectRefusal, newcomer, sharedServer, V1 } from "../support/replies.ts";
import { exchange, head } from "../support/socket.ts";

const KIB = 1024;
const BUSY =
  "The server is receiving too much at once. Nothing was changed. Try again in a few seconds.";

/** Bodies have 400 KiB together, and those of one account half of it. */
const server = await sharedServer({ settings: { bodyMemory: 400 * KIB } });
const { call } = server;

const push = (size: number): string =>
  JSON.stringify({ changes: [], padding: "x".repeat(size) }).slice(0, -1);

/** Sends a push of `size` bytes except for its last byte, which is sent once `finish` is called. */
const unfinished = (url: string, token: string, size: number, chunked = false) => {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const start = push(size);
  const length = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${start.length + 1}`;
  const frame = (text: string): string =>
    chunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text;
  const parts = async function* () {
    const signed = `Authorization: Bearer ${token}`;
    yield head(
      `POST ${V1}/sync`,
      "Host: localhost",
      signed,
      "Content-Type: application/json",
      length,
    );
    yield frame(start);
    await promise;
    yield frame("}") + (chunked ? "0\r\n\r\n" : "");
  };
  return { reply: exchange(url, parts()), finish };
};

const send = (token: string, size: number) =>
  call("POST", "/sync", { token, body: `${push(size)}}` });

/** Sends small pushes until one is refused, since the bytes sent before arrive a little later. */
const untilRefused = async (token: string) => {
  for (;;) {
    const answer = await send(token, 100 * KIB);
    if (answer.status !== 200 && answer.status !== 422) return answer;
    await Bun.sleep(1);
  }
};

test.each([
  ["with an announced length", false],
  ["in chunks", true],
])("An unfinished body %s keeps its memory until it ends", async (_name, chunked) => {
  const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
  const first = unfinished(server.url, ann.session, 120 * KIB, chunked);
  const refused = await untilRefused(ann.session);
  expectRefusal(refused, 503, BUSY);
  expect(refused.headers.get("retry-after")).toBe("2");
  // Nobody else is turned away by what ann holds, and her own short requests fit too.
  expect((await send(bob.session, 100 * KIB)).status).toBe(422);
  expect((await call("POST", "/tasks", { token: ann.session, body: { title: "t" } })).status).toBe(
    201,
  );
  first.finish();
  expect((await first.reply).status).toBe(422);
  expect((await send(ann.session, 100 * KIB)).status).toBe(422);
});

test("All bodies together have a bound, whoever sends them", async () => {
  const people = [await newcomer(server), await newcomer(server), await newcomer(server)];
  const [ann, bob, cleo] = people.map(({ session }) => session) as [string, string, string];
  const held = [unfinished(server.url, ann, 160 * KIB), unfinished(server.url, bob, 160 * KIB)];
  expectRefusal(await untilRefused(cleo), 503, BUSY);
  for (const { finish } of held) finish();
  for (const { reply } of held) expect((await reply).status).toBe(422);
  expect((await send(cleo, 100 * KIB)).status).toBe(422);
});

test("What arrived of a body that broke off is given back", async () => {
  const { session } = await newcomer(server);
  const body = push(190 * KIB);
  for (let time = 0; time < 5; time++) {
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: Number(new URL(server.url).port),
      socket: { data: () => {} },
    });
    socket.write(
      head(
        `POST ${V1}/sync`,
        "Host: localhost",
        `Authorization: Bearer ${session}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length + 1}`,
      ) + body.slice(0, 50 * KIB),
    );
    await Bun.sleep(20);
    socket.end();
  }
  let answer = await send(session, 190 * KIB);
  while (answer.status === 503) answer = await send(session, 190 * KIB);
  expect(answer.status).toBe(422);
});

test("A body for which there is no memory is refused before it arrives", async () => {
  const { session } = await newcomer(server);
  const announced = head(
    `POST ${V1}/sync`,
    "Host: localhost",
    `Authorization: Bearer ${session}`,
    "Content-Type: application/json",
    `Content-Length: ${201 * KIB}`,
  );
  const reply = await exchange(server.url, [announced]);
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(JSON.parse(reply.body)).toEqual({ error: BUSY });
});

test("Forms that strangers leave unfinished have half of the memory at most", async () => {
  const small = await startServer({ settings: { bodyMemory: 40 * KIB } });
  try {
    const form = head(
      "POST /oauth/token",
      "Host: localhost",
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${15 * KIB}`,
    );
    const first = exchange(small.url, [form]);
    let second = await exchange(small.url, [form, "x=".padEnd(15 * KIB, "x")]);
    while (second.status === 400)
      second = await exchange(small.url, [form, "x=".padEnd(15 * KIB, "x")]);
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "2"]);
    const { session } = await newcomer(small);
    const made = await small.call("POST", "/tasks", { token: session, body: { title: "t" } });
    expect(made.status).toBe(201);
    void first;
  } finally {
    await small.stop();
  }
});
