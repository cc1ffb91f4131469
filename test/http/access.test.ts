import { expect, test } from "bun:test";
import { ROUTES } from "../../src/http/routes.ts";
import { endpointName } from "../../src/server/call.ts";
import {
  type Credential,
  CREDENTIALS,
  EXPECTED,
  type Kind,
  tokensOfAll,
  filled,
} from "../support/access.ts";
import { expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";

/** What each credential gets from a kind of route. `ok` means the route's own success. */
type Verdicts = Readonly<Record<Credential, "ok" | readonly [number, string]>>;

const STRANGERS = {
  "no credential": [401, SAYS.credential],
  "revoked key": [401, SAYS.badCredential],
  "expired key": [401, SAYS.badCredential],
} as const;
const NO_SYNC = [403, SAYS.noSync] as const;
const NO_ICONS = [403, SAYS.noIcons] as const;
const EVERYONE = Object.fromEntries(CREDENTIALS.map((name) => [name, "ok"])) as Verdicts;

const KINDS = {
  anyone: EVERYONE,
  "any credential": { ...EVERYONE, ...STRANGERS },
  session: {
    ...STRANGERS,
    "read key": NO_SYNC,
    "write key": NO_SYNC,
    "read+write key": NO_SYNC,
    "free key": NO_SYNC,
    session: "ok",
  },
  "own devices": {
    ...STRANGERS,
    "read key": NO_ICONS,
    "write key": NO_ICONS,
    "read+write key": NO_ICONS,
    "free key": NO_ICONS,
    session: "ok",
  },
  read: {
    ...EVERYONE,
    ...STRANGERS,
    "write key": [403, SAYS.lacks("read")],
    "free key": [403, SAYS.free],
  },
  write: {
    ...EVERYONE,
    ...STRANGERS,
    "read key": [403, SAYS.lacks("write")],
    "free key": [403, SAYS.free],
  },
  keys: {
    ...EVERYONE,
    ...STRANGERS,
    "read key": [403, SAYS.lacks("write")],
    "free key": [403, SAYS.free],
    session: [
      403,
      "Claims are for API keys. People and their devices never wait for one, and can end any.",
    ],
  },
} satisfies Readonly<Record<Kind, Verdicts>>;

const FORM = { "content-type": "application/x-www-form-urlencoded" };

const served = ROUTES.map(({ method, path }) => `${method} ${endpointName(path)}`);
const paths = [...Map.groupBy(ROUTES, ({ path }) => endpointName(path))].map(
  ([path, routes]) => [path, routes.map(({ method }) => method as string)] as const,
);

const server = await sharedServer();

test("Every route is classified, and every classified route is served", () => {
  expect(served.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
});

test.each(CREDENTIALS)("%s: each route allows what its kind says, and no more", async (name) => {
  const token = (await tokensOfAll(server))[name];
  for (const [route, { kind, ok, body, form, query }] of Object.entries(EXPECTED)) {
    const [method = "", path = ""] = route.split(" ");
    const verdict: Verdicts[Credential] = KINDS[kind][name];
    const address = `!${filled(path)}${query === undefined ? "" : `?${query}`}`;
    const sent = form === undefined ? { body } : { body: form, headers: FORM };
    const answer = await server.call(method, address, { token, ...sent });
    if (verdict === "ok") expect([route, answer.status]).toEqual([route, ok]);
    else expectRefusal(answer, ...verdict);
    if (method !== "GET") continue;
    const head = await server.call("HEAD", address, { token });
    expect([route, head.status, head.text]).toEqual([route, answer.status, ""]);
  }
});

test.each(CREDENTIALS)("%s: no method outside the table does anything", async (name) => {
  const token = (await tokensOfAll(server))[name];
  for (const [path, methods] of paths) {
    const address = `!${filled(path)}`;
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    for (const method of ["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"]) {
      if (methods.includes(method) || (method === "HEAD" && methods.includes("GET"))) continue;
      const body = method === "GET" || method === "HEAD" ? undefined : "{}";
      const answer = await server.call(method, address, { token, body });
      expect([path, method, answer.headers.get("allow")]).toEqual([path, method, allow]);
      if (method === "OPTIONS") expect([answer.status, answer.text]).toEqual([204, ""]);
      else if (method === "HEAD") expect([answer.status, answer.text]).toEqual([405, ""]);
      else if (method === "DELETE" || method === "PUT")
        expectRefusal(answer, 405, SAYS.never(method));
      else
        expectRefusal(answer, 405, `${method} is not allowed on this path. Use one of: ${allow}.`);
    }
  }
});

test("A refused call changes nothing", async () => {
  const ann = await newcomer(server);
  const keys = [await ann.key(["read"]), "docket_live_wrong", undefined];
  await server.call("POST", "/tasks", { token: ann.session, body: { title: "t" } });
  const pulled = async () =>
    (await server.call("GET", "/sync", { token: ann.session })).json.changes;
  const before = (await pulled()) as { sync_tasks: { id: string }[] };
  const id = before.sync_tasks[0]?.id ?? "";
  for (const token of keys) {
    for (const [route, { kind, body }] of Object.entries(EXPECTED)) {
      if (!["keys", "session", "write"].includes(kind)) continue;
      const [method = "", path = ""] = route.split(" ");
      const answer = await server.call(method, `!${filled(path, id)}`, { token, body });
      expect(answer.status).toBeOneOf([401, 403]);
    }
  }
  expect(await pulled()).toEqual(before);
});
