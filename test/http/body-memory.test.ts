import { expect, test } from "bun:test";
import { connect } from "node:net";
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

/** The head of a form of 15 KiB at a route that anyone may call. */
const form = (path: string, ...fields: readonly string[]): string =>
  head(
    `POST ${path}`,
    "Host: localhost",
    "Sec-Fetch-Site: same-origin",
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${15 * KIB}`,
    ...fields,
  );
const FORMS = ["/oauth/token", "/oauth/revoke", "/sign-in", "/setup", "/join"];
/** All of the form but its last byte. */
const MOST = "x=".padEnd(15 * KIB - 1, "x");

/** Opens connections that send this and then nothing, until the server has all of it. */
const silent = async (url: string, parts: readonly string[]) => {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    parts.map(async (part) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("error", () => {});
      await new Promise((sent) => socket.write(part, "latin1", sent));
      return socket;
    }),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
};

const from = (address: string): string => `X-Forwarded-For: ${address}`;

/** Behind the proxy 127.0.0.1, which it trusts. */
const behindProxy = (bodyMemory: number) =>
  startServer({ settings: { bodyMemory, isProxy: (address) => address === "127.0.0.1" } });

test("Forms that are announced and never sent take no memory", async () => {
  const small = await startServer({ settings: { bodyMemory: 160 * KIB } });
  const paths = FORMS.flatMap((path) => Array.from({ length: 40 }, () => path));
  const close = await silent(
    small.url,
    paths.map((path) => form(path)),
  );
  try {
    for (const path of FORMS) {
      const { status } = await exchange(small.url, [form(path), `${MOST}x`]);
      expect([path, status < 500]).toEqual([path, true]);
    }
  } finally {
    close();
    await small.stop();
  }
});

/** Asks until the server has read what others sent before. */
const untilBusy = async (url: string, parts: readonly string[]) => {
  for (;;) {
    const reply = await exchange(url, parts);
    if (reply.status === 503) return reply;
  }
};

test.each([
  ["an IPv4 address", ["203.0.113.9"], ["203.0.113.8", "2001:db8:1:200::1"]],
  [
    "an IPv6 /56",
    ["2001:db8:1:2::1", "2001:db8:1:20::2", "2001:db8:1:ff:5:6:7:8"],
    ["2001:db8:1:100::1", "2001:db8:2:2::1", "203.0.113.9"],
  ],
])(
  "What %s leaves unfinished takes an eighth of the memory at most",
  async (_what, own, others) => {
    const small = await behindProxy(320 * KIB);
    const close = await silent(
      small.url,
      [0, 1].map((at) => form("/oauth/token", from(own[at % own.length] ?? "")) + MOST),
    );
    try {
      for (const address of own) {
        const busy = await untilBusy(small.url, [form("/oauth/token", from(address)), `${MOST}x`]);
        expect(JSON.parse(busy.body)).toEqual({ error: BUSY });
      }
      for (const address of others)
        for (const path of FORMS) {
          const { status } = await exchange(small.url, [form(path, from(address)), `${MOST}x`]);
          expect([address, path, status < 500]).toEqual([address, path, true]);
        }
    } finally {
      close();
      await small.stop();
    }
  },
);

test("What all strangers leave unfinished takes half of the memory at most", async () => {
  const small = await behindProxy(160 * KIB);
  const heads = Array.from({ length: 6 }, (_, at) => form("/oauth/token", from(`203.0.113.${at}`)));
  const close = await silent(
    small.url,
    heads.slice(1).map((part) => part + MOST),
  );
  try {
    const busy = await untilBusy(small.url, [heads[0] ?? "", `${MOST}x`]);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "2"]);
    const { session } = await newcomer(small);
    const made = await small.call("POST", "/tasks", { token: session, body: { title: "t" } });
    expect(made.status).toBe(201);
  } finally {
    close();
    await small.stop();
  }
});

test("The log says once that visitors who come through an unknown proxy count as one", async () => {
  const small = await startServer();
  const said = () =>
    small.logged
      .map((line) => JSON.parse(line) as { level: string; message: string; address?: string })
      .filter(({ level }) => level === "warn");
  const ask = (...fields: readonly string[]) =>
    exchange(small.url, [form("/oauth/token", ...fields), `${MOST}x`]);
  await ask();
  expect(said().filter(({ message }) => message.includes("proxies"))).toEqual([]);
  for (let asked = 0; asked < 3; asked += 1) await ask("X-Forwarded-For: 203.0.113.9");
  expect(said().filter(({ message }) => message.includes("proxies"))).toEqual([
    {
      time: "2026-03-04T12:00:00.000Z",
      level: "warn",
      message:
        "visitors who come through this address count as one, so they share its limits: if it is your proxy, set --trusted-proxies (DOCKET_TRUSTED_PROXIES) to it",
      address: "127.0.0.1",
    },
  ] as never);
  await small.stop();
});
