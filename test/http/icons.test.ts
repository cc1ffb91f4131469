import { expect, test } from "bun:test";
import { MAX_ICONS } from "../../src/domain/tasks/icon.ts";
import { png } from "../support/png.ts";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const RED = png(32, [255, 0, 0]);
const BLUE = png(16, [0, 0, 255]);

const someone = async () => {
  const ann = await newcomer(server);
  const { session: token } = ann;
  return {
    ann,
    send: (...icons: readonly unknown[]) => call("POST", "/icons", { token, body: { icons } }),
    get: async (hosts: string) =>
      (await call("GET", `/icons?hosts=${hosts}`, { token })).json.icons as unknown,
  };
};

test("An icon is kept once per host, and replaced by the next", async () => {
  const { send, get } = await someone();
  const first = await send(
    { host: "a.example", png: RED },
    { host: "localhost:3000", png: BLUE },
    { host: "xn--bcher-kva.example", png: BLUE },
  );
  expect([first.status, first.json]).toEqual([200, { saved: 3 }]);
  await send({ host: "a.example", png: BLUE });
  expect(await get("localhost:3000,b.example,a.example,,a.example")).toEqual([
    { host: "a.example", png: BLUE },
    { host: "localhost:3000", png: BLUE },
  ]);
});

test("Each account has its own, no pull holds any, and no key may ask for them", async () => {
  const { ann, send } = await someone();
  const { get } = await someone();
  const { session: token } = ann;
  await call("POST", "/sync", { token, body: [change("sync_tasks", "t", { title: "t" })] });
  const before = (await call("GET", "/sync", { token })).json;
  await send({ host: "a.example", png: RED });
  expect(await get("a.example")).toEqual([]);
  const { changes } = (await call("GET", "/sync", { token })).json;
  expect(changes).toEqual(before.changes);
  const news = await call("GET", `/sync?since=${before.server_time}`, { token });
  expect(Object.values(news.json.changes).flat()).toEqual([]);
  const refused = await call("GET", "/icons?hosts=a.example", { token: await ann.key() });
  expect(refused.status).toBe(403);
});

test.each([
  ["a host in capitals", { host: "A.example", png: RED }, "icons[1].host must be a host"],
  ["an address", { host: "https://a.example", png: RED }, "icons[1].host must be a host"],
  ["no PNG", { host: "a.example", png: btoa("<svg onload='alert(1)'/>") }, "icons[1].png must be"],
  ["a large PNG", { host: "a.example", png: png(32, [1, 2, 3], 2_100) }, "icons[1].png must be"],
  ["a wide PNG", { host: "a.example", png: png(65, [1, 2, 3]) }, "icons[1].png must be"],
  ["a PNG that is cut", { host: "a.example", png: RED.slice(0, 20) }, "icons[1].png must be"],
  ["no base64", { host: "a.example", png: "%%%%" }, "icons[1].png must be"],
])("%s is refused, and none of the others is kept", async (_name, icon, says) => {
  const { send, get } = await someone();
  const answer = await send({ host: "ok.example", png: RED }, icon);
  expect([answer.status, answer.json.error]).toEqual([422, expect.stringContaining(says)]);
  expect(await get("ok.example,a.example")).toEqual([]);
});

const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `h${at}.example`);

test("Too many at once are refused", async () => {
  const { ann, send } = await someone();
  const answer = await send(...many(51).map((host) => ({ host, png: RED })));
  expect([answer.status, answer.json.error]).toEqual([422, expect.stringContaining("50")]);
  expectRefusal(
    await call("GET", `/icons?hosts=${many(101).join()}`, { token: ann.session }),
    422,
    "hosts may name at most 100 hosts. Ask for the rest separately.",
  );
});

test("An account keeps the newest ones", async () => {
  const { send, get } = await someone();
  for (let at = 0; at <= MAX_ICONS; at += 50) {
    const icons = Array.from({ length: 50 }, (_, n) => ({ host: `h${at + n}.example`, png: BLUE }));
    expect((await send(...icons)).status).toBe(200);
    server.clock.advance(1);
  }
  const hosts = ["h0.example", "h49.example", "h50.example", `h${MAX_ICONS}.example`];
  expect(await get(hosts.join())).toEqual([
    { host: `h${MAX_ICONS}.example`, png: BLUE },
    { host: "h50.example", png: BLUE },
  ]);
});
