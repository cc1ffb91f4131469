import { bearer } from "@elysiajs/bearer";
import { Type } from "@sinclair/typebox";
import { expect, onTestFinished, test } from "bun:test";
import { type AnyElysia, Elysia } from "elysia";
import {
  answerNow,
  expectNoBodies,
  leaveBodies,
  listen,
  mount,
  newApp,
  tellAsync,
  useBearer,
  withLongName,
} from "../../src/server/elysia.ts";

// Each test first shows what Elysia does by itself, then what it does with our workaround. If the first part fails, a
// new version of Elysia no longer needs the workaround: remove it. If the second part fails, the workaround no longer
// works.

const ADDRESS = "http://localhost/x";
const ENDPOINT = { method: "GET", path: "/x" } as const;
const A_TEXT = Type.Object({ a: Type.String() });

const get = (headers: Record<string, string> = {}, address = ADDRESS) =>
  new Request(address, { headers });

const post = (body: string, type = "application/json") =>
  new Request(ADDRESS, { method: "POST", headers: { "content-type": type }, body });

const statusOf = async (app: AnyElysia, request: Request) => (await app.fetch(request)).status;
const textOf = async (app: AnyElysia, request = get()) => (await app.fetch(request)).text();

/** As `Bun.serve` calls it. Returns a promise only if Elysia waits for something. */
const answerOf = (app: AnyElysia): unknown => app.compile().fetch(get());

const replying = (app = newApp(), hooks = {}) => {
  mount(app, ENDPOINT, () => new Response("reply"), hooks);
  return app;
};

const headersSeen = async (app: AnyElysia) => {
  const names: string[] = [];
  app.onTransform(({ headers }) => void names.push(...Object.keys(headers)));
  app.get("/x", () => "");
  await app.fetch(get({ authorization: "Bearer a", "x-noise": "1" }));
  return names;
};

test("A hook that asks for one header does not get a copy of them all", async () => {
  expect(await headersSeen(new Elysia())).toContain("x-noise");
  expect(await headersSeen(newApp())).toEqual(["authorization"]);
});

const MANY = Type.Array(Type.Object({}, { additionalProperties: true }));

test.each([
  ["a text where an object belongs", Type.Object({}), `"text"`],
  ["an object with a length where an array belongs", MANY, `{"length":1,"0":{}}`],
])("Elysia does not change %s until it fits the schema", async (_name, body, sent) => {
  const ask = (app: AnyElysia) =>
    statusOf(
      app.post("/x", () => "", { body }),
      post(sent),
    );
  expect(await ask(new Elysia())).toBe(200);
  expect(await ask(newApp())).toBe(422);
});

const isReadFirst = async (app: AnyElysia) => {
  const read: boolean[] = [];
  app.onTransform(({ request }) => void read.push(request.bodyUsed));
  app.post("/x", ({ body }) => String(body), { body: Type.Unknown() });
  await app.fetch(post("{}"));
  return read;
};

test("A body is not read before the caller can be checked", async () => {
  expect(await isReadFirst(new Elysia())).toEqual([true]);
  expect(await isReadFirst(leaveBodies(newApp()))).toEqual([false]);
});

const form = () => post("a=1", "application/x-www-form-urlencoded");

test("A form is not accepted as JSON", async () => {
  const bySelf = new Elysia().post("/x", () => "", { body: A_TEXT });
  const bent = leaveBodies(newApp()).post("/x", () => "", { body: A_TEXT });
  expect(await statusOf(bySelf, form())).toBe(200);
  expect(await statusOf(bent, form())).toBe(422);
});

test.each([
  ["the scheme in small letters", get({ authorization: "bearer abc" }), "", "abc"],
  ["two tokens", get({ authorization: "Bearer abc, Bearer def" }), "abc, Bearer def", ""],
  ["a token in the query", get({}, `${ADDRESS}?access_token=abc`), "abc", ""],
])("The token of a request with %s is read strictly", async (_name, request, bySelf, bent) => {
  const ask = (app: AnyElysia) =>
    textOf(
      app.get("/x", ({ bearer: token }: { bearer?: string }) => token ?? ""),
      request.clone(),
    );
  expect(await ask(new Elysia().use(bearer()))).toBe(bySelf);
  expect(await ask(useBearer(newApp()))).toBe(bent);
});

test("A reply is passed on unchanged and at once, even if its handler passes the context on", () => {
  const reply = new Response("reply");
  const hand = (_context: unknown): Response => reply;
  const app = newApp();
  mount(app, ENDPOINT, (context) => hand(context));
  expect(answerOf(new Elysia().get("/x", (context) => hand(context)))).toBeInstanceOf(Promise);
  expect(answerOf(app)).toBe(reply);
});

test("An asynchronous handler is awaited, although Elysia does not read its real source", async () => {
  const app = newApp().onError(() => new Response("caught"));
  mount(app, ENDPOINT, async () => {
    await Bun.sleep(1);
    throw new Error("later");
  });
  expect(await textOf(app)).toBe("caught");
});

const check = (_method: string): void => {};
const checking = () =>
  replying(newApp(), {
    transform: ({ request }: { request: Request }) => check(request.method),
  });

test("A synchronous hook is not awaited", () => {
  const app = checking();
  for (const { hooks } of app.routes) tellAsync(hooks.transform);
  expect(answerOf(checking())).toBeInstanceOf(Promise);
  expect(answerOf(app)).toBeInstanceOf(Response);
});

test("Nothing is awaited on a route without a body", () => {
  expect(answerOf(replying(newApp(), { parse: "none" }))).toBeInstanceOf(Promise);
  const app = replying(leaveBodies(newApp()));
  expectNoBodies(app);
  expect(answerOf(replying(leaveBodies(newApp())))).toBeInstanceOf(Promise);
  expect(answerOf(app)).toBeInstanceOf(Response);
});

test("A hook before the schema check can end a request", async () => {
  const bySelf = replying(newApp(), { transform: () => new Response("ended", { status: 202 }) });
  const bent = replying(newApp(), {
    transform: () => answerNow(new Response("ended", { status: 202 })),
  });
  expect(await textOf(bySelf)).toBe("reply");
  expect(await textOf(bent)).toBe("ended");
  expect(await statusOf(bent, get())).toBe(202);
});

test.each([["http://nas/x"], ["http://a/x"]])("The path of %s is found", async (address) => {
  const request = get({ host: "nas" }, address);
  const renamed = withLongName(request);
  expect(await statusOf(replying(), request)).toBe(404);
  expect(await statusOf(replying(), renamed)).toBe(200);
  expect(renamed.headers.get("host")).toBe("nas");
});

test.each([["https://nas/x"], ["http://localhost:3625/x"]])("%s is left unchanged", (address) => {
  const request = get({}, address);
  expect(withLongName(request)).toBe(request);
});

const failing = () =>
  new Elysia()
    .onError(() => new Response("child"))
    .get("/x", () => {
      throw new Error("wrong");
    });
const parent = () => new Response("parent");

test("A child's errors go to its own hook if the parent's hook is registered after it", async () => {
  expect(await textOf(new Elysia().onError(parent).use(failing()))).toBe("parent");
  expect(await textOf(new Elysia().use(failing()).onError(parent))).toBe("child");
});

const COUNTING = {
  fetch: async (request: Request) => new Response(String((await request.arrayBuffer()).byteLength)),
  error: () => new Response("wrong"),
};

test("Two servers cannot share a port", () => {
  const first = new Elysia().listen({ port: 0, hostname: "127.0.0.1" });
  const shared = first.server?.port ?? 0;
  const second = new Elysia().listen({ port: shared, hostname: "127.0.0.1" });
  const server = listen(COUNTING, "127.0.0.1", 0, null);
  onTestFinished(async () => {
    await Promise.all([first.stop(), second.stop(), server.stop(true)]);
  });
  expect(second.server?.port).toBe(shared);
  expect(() => listen(COUNTING, "127.0.0.1", server.port ?? 0, null)).toThrow(/EADDRINUSE|in use/);
});

test("A body may be longer than Bun's own limit, whose refusal has no text", async () => {
  const body = new Uint8Array(129 * 1024 * 1024);
  const bySelf = Bun.serve({ ...COUNTING, hostname: "127.0.0.1", port: 0 });
  const bent = listen(COUNTING, "127.0.0.1", 0, null);
  onTestFinished(async () => {
    await Promise.all([bySelf.stop(true), bent.stop(true)]);
  });
  const refused = await fetch(bySelf.url, { method: "POST", body });
  expect([refused.status, await refused.text()]).toEqual([413, ""]);
  const taken = await fetch(bent.url, { method: "POST", body });
  expect(await taken.text()).toBe(String(body.length));
});
