import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Restriction } from "../../src/domain/people/api-key.ts";
import { RESTRICTIONS, SHARED_URL } from "../support/restrictions.ts";
import { change, sharedServer } from "../support/replies.ts";
import { cases } from "../support/random.ts";
import { ask, holdings, type KeyCall, settle } from "../support/http/sides.ts";

const server = await sharedServer({ limits: { perMinute: 1e6, perHour: 1e6 } });
const { call, clock } = server;

const THINGS = ["inside", "done", "hidden", "loose", "none", "0", "1"] as const;
const PLACES = ["work", "Garden", "home", "Home", "Other", "none", null] as const;
const TITLES = ["Work", "Garden", "Agent unsorted", "secret plan", "t"] as const;

const thing = fc.constantFrom(...THINGS);
const place = fc.oneof(
  fc.constant({}),
  fc.record({ folder: fc.constantFrom(...PLACES) }),
  fc.record({ project_id: fc.constantFrom(...PLACES) }),
);
const title = fc.constantFrom(...TITLES);
const tabs = fc.constantFrom([{ url: SHARED_URL }], [{ url: "https://other.example/" }]);
const mode = fc.constantFrom("", "", "", "?dry_run=true");

const query = fc.constantFrom(
  "",
  "?status=todo,done",
  "?status=done",
  "?project_id=home",
  "?project_id=none",
  "?project_id=work",
  "?created_by=agent",
  "?created_by=person",
  `?url=${encodeURIComponent(SHARED_URL)}`,
  "?since=2026-03-04T12:00:03.500Z",
  "?limit=1",
  "?limit=1&cursor=CURSOR",
  "?q=secret",
  "?q=inside",
  "?q=page&limit=1",
);

const once = fc.constantFrom(undefined, undefined, undefined, '"a"', '"b"');
const match = fc.constantFrom(undefined, undefined, 0, 1, 2);

const reading = fc.oneof(
  query.map((text): KeyCall => ({ method: "GET", path: `/tasks${text}` })),
  thing.map((id): KeyCall => ({ method: "GET", path: "/tasks/ID", thing: id })),
  fc.constant<KeyCall>({ method: "GET", path: "/projects" }),
);

const writing = fc.oneof(
  fc.tuple(title, place, mode, once, tabs).map(([name, where, how, key, some]): KeyCall => {
    const body = { title: name, tabs: some, ...where };
    return { method: "POST", path: `/tasks${how}`, body, once: key };
  }),
  fc.tuple(thing, title, place, mode, match).map(([id, name, where, how, tag]): KeyCall => {
    const body = { title: name, ...where };
    return { method: "PATCH", path: `/tasks/ID${how}`, thing: id, body, match: tag };
  }),
  fc.tuple(thing, place, mode).map(([id, where, how]): KeyCall => {
    return { method: "PATCH", path: `/tasks/ID${how}`, thing: id, body: where };
  }),
  fc.tuple(thing, tabs, once, mode).map(([id, body, key, how]): KeyCall => {
    return { method: "POST", path: `/tasks/ID/tabs${how}`, thing: id, body, once: key };
  }),
  fc.tuple(thing, title, once).map(([id, text, key]): KeyCall => {
    return { method: "POST", path: "/tasks/ID/notes", thing: id, body: { text }, once: key };
  }),
  fc.tuple(title, mode).map(([name, how]): KeyCall => {
    return { method: "POST", path: `/projects${how}`, body: { name } };
  }),
  fc.tuple(tabs, once, mode).map(([body, key, how]): KeyCall => {
    return { method: "POST", path: `/inbox/tabs${how}`, body, once: key };
  }),
);

/** Something that happens in only one of the two accounts, where the key cannot see it. */
type Outside = readonly [method: string, path: string, body: unknown];

const pushed = (
  id: string,
  payload: object,
  more: Readonly<Record<string, unknown>> = {},
): Outside => ["POST", "/sync", [change("sync_tasks", id, payload, more)]];

const outside = fc.oneof(
  title.map((name): Outside => pushed("hidden", { title: name, project_id: "home" })),
  title.map((name): Outside => pushed("loose", { title: name, pages: [{ url: SHARED_URL }] })),
  title.map((name): Outside => ["POST", "/tasks", { title: name, tabs: [{ url: SHARED_URL }] }]),
  title.map((name): Outside => ["POST", "/projects", { name }]),
  fc
    .constantFrom(...TITLES, "Home", "Other")
    .map((name): Outside => ["POST", "/sync", [change("sync_projects", "home", { name })]]),
  fc.constant<Outside>(pushed("hidden", {}, { deleted_at: "2026-03-04T12:00:00Z" })),
  fc.constant<Outside>(["PATCH", "/tasks/loose", { status: "done" }]),
);

/**
 * What only one of the two accounts has from the start. If the key is restricted to folders, that
 * includes an inbox.
 */
const FIRST: readonly Outside[] = [
  ["POST", "/sync", [change("sync_projects", "home", { name: "Home" })]],
  pushed("hidden", { title: "secret plan", project_id: "home", pages: [{ url: SHARED_URL }] }),
  pushed("loose", { title: "secret plan" }),
];
const INBOX: Outside = ["POST", "/inbox/tabs", [{ url: SHARED_URL, title: "secret" }]];

type Act = { readonly key: KeyCall } | { readonly outside: Outside };

const acts = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: writing.map((key): Act => ({ key })) },
    { weight: 3, arbitrary: reading.map((key): Act => ({ key })) },
    { weight: 2, arbitrary: outside.map((one): Act => ({ outside: one })) },
  ),
  { minLength: 5, maxLength: 25 },
);

test.each([RESTRICTIONS.folders, RESTRICTIONS.inbox] as readonly Restriction[])(
  "With the restriction %j, no reply shows anything outside it, and no call reaches there",
  async (restriction) => {
    const property = fc.asyncProperty(acts, async (all) => {
      const [plain, rich] = [await settle(server, restriction), await settle(server, restriction)];
      const apart = ([method, path, body]: Outside) =>
        call(method, path, { token: rich.person.session, body: later(body) });
      for (const one of restriction.kind === "folders" ? [...FIRST, INBOX] : FIRST)
        await apart(one);
      for (const act of all) {
        clock.advance(1_000);
        if ("outside" in act) {
          await apart(act.outside);
          continue;
        }
        const before = await holdings(rich, restriction);
        const answers = [await ask(rich, act.key), await ask(plain, act.key)];
        expect(answers[0]).toEqual(answers[1]);
        const after = await holdings(rich, restriction);
        expect(after.outside).toEqual(before.outside);
        expect(after.inside).toEqual(expect.arrayContaining(before.inside));
      }
    });
    await fc.assert(property, cases(40));
  },
);

/** Pushed with the current time, so that it wins over earlier pushes. */
const later = (body: unknown): unknown =>
  Array.isArray(body)
    ? body.map((one: object) => ({ ...one, updated_at: new Date(clock.wall()).toISOString() }))
    : body;
