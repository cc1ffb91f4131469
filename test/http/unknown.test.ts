import { expect, test } from "bun:test";
import { ROUTES } from "../../src/http/routes.ts";
import { endpointName } from "../../src/server/call.ts";
import { filled } from "../support/access.ts";
import { change, expectRefusal, newcomer, sharedServer, V1 } from "../support/replies.ts";

// What nobody knows is refused, never ignored: a field of a REST body, a parameter of a list.

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
const { call } = server;
const ann = await newcomer(server);
const key = await ann.key();

const TASK =
  "title, status, colour, folder, project_id, bucket_id, due, tags, position, tabs, notes";
const PATCH = "title, status, colour, folder, project_id, bucket_id, due, tags, position";
const URL = "https://a.example/";
const LONG = "x".repeat(61);

type Case = readonly [body: unknown, field: string, known: string];

/** Every route with a body: unknown fields at each depth, how the refusal names them, and the known ones. */
const CASES: Readonly<Record<string, readonly Case[] | "keeps them">> = {
  [`POST ${V1}/sync`]: "keeps them",
  "POST /oauth/register": "keeps them",
  [`POST ${V1}/icons`]: [
    [{ icons: [], replace: true }, "replace", "icons"],
    [{ icons: [{ host: "a.example", png: "x", size: 32 }] }, "icons.0.size", "host, png"],
  ],
  [`POST ${V1}/tasks`]: [
    [{ title: "t", importance: "high" }, "importance", TASK],
    [{ titel: "t" }, "titel", TASK],
    [{ title: "t", Title: "t" }, "Title", TASK],
    [{ title: "t", [LONG]: 1 }, `${LONG.slice(0, 60)}…`, TASK],
    [{ title: "t", toString: 1 }, "toString", TASK],
    [
      { title: "t", tabs: [{ url: URL }, { url: URL, favicon: "x" }] },
      "tabs.1.favicon",
      "url, title",
    ],
    [{ title: "t", notes: ["n", { text: "n", by: "x" }] }, "notes.1.by", "text, content, body"],
  ],
  [`PATCH ${V1}/tasks/{id}`]: [
    [{ importance: null }, "importance", PATCH],
    [{ status: "done", done: true }, "done", PATCH],
  ],
  [`PATCH ${V1}/tasks`]: [
    [{ ids: ["a"], set: { importance: 1 } }, "set.importance", PATCH],
    [{ ids: ["a"], set: {}, filter: {} }, "filter", "ids, set"],
  ],
  [`PATCH ${V1}/tasks/{id}/notes/{note}`]: [
    [{ text: "n", html: "n" }, "html", "text, content, body"],
  ],
  [`POST ${V1}/tasks/{id}/tabs`]: [
    [[{ url: URL }, { url: URL, pinned: true }], "1.pinned", "url, title"],
  ],
  [`POST ${V1}/tasks/{id}/tabs/move`]: [
    [{ from: "inbox", tabs: ["t"], to: "t" }, "to", "from, tabs"],
  ],
  [`POST ${V1}/tasks/{id}/notes`]: [[{ text: "n", html: "n" }, "html", "text, content, body"]],
  [`POST ${V1}/claims`]: [
    [{ task: "a", hours: 2 }, "hours", "task, filter, for"],
    [{ filter: { q: "x" } }, "filter.q", "status, folder, tag"],
  ],
  [`POST ${V1}/claims/{id}/renew`]: [[{ until: "x" }, "until", "for"]],
  [`POST ${V1}/claims/{id}/release`]: [[{ why: "x" }, "why", ""]],
  [`POST ${V1}/inbox/tabs`]: [[[{ url: URL, pinned: true }], "0.pinned", "url, title"]],
  [`POST ${V1}/projects`]: [[{ name: "n", parent: "p" }, "parent", "name, title, colour"]],
};

test("The table has each route with a JSON body", () => {
  const routes = ROUTES.filter(({ body }) => body).map(
    ({ method, path }) => `${method} ${endpointName(path)}`,
  );
  expect(Object.keys(CASES).toSorted()).toEqual(routes.toSorted());
});

/** The routes that a key may not call at all. */
const FOR_DEVICES = ["/sync", "/icons"].map((path) => `${V1}${path}`);

const withTask = async () => {
  const made = await call("POST", "/tasks", { token: ann.session, body: { title: "t" } });
  const id = made.json.id as string;
  return { id, path: `/tasks/${id}` };
};

const REFUSED = Object.entries(CASES).flatMap(([name, cases]) =>
  cases === "keeps them"
    ? []
    : cases.map(([body, field, known]) => [name, field, body, known] as const),
);

test.each(REFUSED)("%s refuses %s, and changes nothing", async (name, field, body, known) => {
  const { id } = await withTask();
  const [method = "", path = ""] = filled(name, id).split(" ");
  const before = (await call("GET", "/sync", { token: ann.session })).json.changes as unknown;
  const tokens = FOR_DEVICES.includes(path) ? [ann.session] : [key, ann.session];
  for (const token of tokens)
    expectRefusal(
      await call(method, `!${path}`, { token, body }),
      422,
      `${field} is not a known field. It takes: ${known}.`,
    );
  expect((await call("GET", "/sync", { token: ann.session })).json.changes).toEqual(before);
});

test("A push keeps what it does not know, as the extension owns its payload", async () => {
  const body = [change("sync_tasks", "own", { title: "t", theme: "dark" }, { sent_by: "v2" })];
  const { json } = await call("POST", "/sync", { token: ann.session, body });
  expect([json.applied, json.invalid]).toEqual([1, []]);
});

test("A task that was read can be sent back, also changed, and also to make another", async () => {
  const { path } = await withTask();
  await call("POST", `${path}/tabs`, { token: key, body: [{ url: URL }] });
  await call("POST", `${path}/notes`, { token: key, body: { text: "n" } });
  const { deleted_at: _deleted, ...task } = (await call("GET", path, { token: key })).json;
  const patched = await call("PATCH", path, { token: key, body: { ...task, title: "u" } });
  expect([patched.status, patched.json.title]).toEqual([200, "u"]);
  const made = await call("POST", "/tasks", { token: key, body: task });
  expect([made.status, made.json.id === task.id, made.json.tab_count]).toEqual([201, false, 1]);
  const tabs = await call("POST", `${path}/tabs`, { token: key, body: task.tabs });
  expect([tabs.status, tabs.json.tabs[0].id === task.tabs[0].id]).toEqual([201, false]);
});

test.each([
  ["id", "other", "Leave it out."],
  ["created_by", "person", "Leave it out."],
  ["tab_count", 5, "Leave it out."],
  ["updated_at", "2000-01-01T00:00:00.000Z", "Leave it out."],
  ["tabs", [], "Add tabs with POST /tasks/{id}/tabs."],
  [
    "notes",
    ["n"],
    "Add a note with POST /tasks/{id}/notes, or change one of an agent with PATCH /tasks/{id}/notes/{note}.",
  ],
])("A changed %s is refused, with the call that changes it", async (field, value, says) => {
  const made = await call("POST", "/tasks", {
    token: key,
    body: { title: "t", tabs: [{ url: URL }] },
  });
  const path = `/tasks/${made.json.id}`;
  const body = { title: "u", [field]: value };
  const refused = await call("PATCH", path, { token: key, body });
  expectRefusal(refused, 422, `PATCH cannot change ${field}. ${says}`);
  expect((await call("GET", path, { token: key })).json.title).toBe("t");
});

test("A key that cannot read learns nothing by sending a field as it might be", async () => {
  const { id, path } = await withTask();
  const token = await ann.key(["write"], "writer");
  for (const body of [{ id }, { created_by: "person" }, { created_by: "agent" }])
    expectRefusal(
      await call("PATCH", path, { token, body }),
      422,
      `PATCH cannot change ${Object.keys(body)[0]}. Leave it out.`,
    );
});

const LISTED =
  "q, status, closed, project_id, created_by, tag, due_before, due_after, url, ids, include, claimed, since, limit, cursor";

test.each([
  ["GET", "/tasks", "updated_after=x", "updated_after", "GET /api/public/v1/tasks", LISTED],
  ["GET", "/tasks", "limit[]=1", "limit[]", "GET /api/public/v1/tasks", LISTED],
  ["GET", "/tasks", "__proto__=1", "__proto__", "GET /api/public/v1/tasks", LISTED],
  ["GET", "/tasks", "=1", "Without a name, it", "GET /api/public/v1/tasks", LISTED],
])("%s %s?%s is refused", async (method, path, query, name, endpoint, known) => {
  const body = method === "POST" ? [] : undefined;
  expectRefusal(
    await call(method, `${path}?${query}`, { token: ann.session, body }),
    422,
    `${name} is not a parameter of ${endpoint}. It takes: ${known}.`,
  );
});

const PUBLIC = ROUTES.filter(({ path }) => path.startsWith(V1));

/** The routes on which a session's unknown parameters are ignored: the extension may send some. */
const LENIENT = ["/me", "/entitlement", "/sync"].map((path) => `${V1}${path}`);

test.each(PUBLIC.map((route) => [route.method, route.path, route] as const))(
  "%s %s names the parameters that it takes, and reads no body with an unknown one",
  async (method, path, route) => {
    const { id } = await withTask();
    const before = (await call("GET", "/sync", { token: ann.session })).json.changes as unknown;
    const takes = [
      ...Object.keys((route.query?.["properties"] ?? {}) as object),
      ...(route.present ? ["dry_run"] : []),
    ].join(", ");
    for (const [token, by] of [
      [key, "a key"],
      [ann.session, "a session"],
    ] as const)
      for (const query of ["dryrun=true", "if_match=x", "fields=id"]) {
        const answer = await call(method, `!${filled(endpointName(path), id)}?${query}`, {
          token,
          ...(method === "GET" ? {} : { body: "no json" }),
        });
        const ignored = by === "a session" && LENIENT.includes(path);
        if (ignored || (by === "a key" && FOR_DEVICES.includes(path)))
          expect([path, by, answer.status === 422]).toEqual([path, by, false]);
        else
          expectRefusal(
            answer,
            422,
            `${query.split("=")[0]} is not a parameter of ${method} ${endpointName(path)}. ${takes === "" ? "It takes none." : `It takes: ${takes}.`}`,
          );
      }
    expect((await call("GET", "/sync", { token: ann.session })).json.changes).toEqual(before);
  },
);
