import type { Restriction } from "../../src/domain/people/api-key.ts";
import { change, newcomer, SAYS, V1 } from "./replies.ts";
import type { TestServer } from "./server.ts";

/** The restrictions of keys in these tests. */
export const RESTRICTIONS = {
  none: null,
  folders: { kind: "folders", folders: ["work", "garden"] },
  inbox: { kind: "inbox" },
} satisfies Readonly<Record<string, Restriction | null>>;

export type RestrictionName = keyof typeof RESTRICTIONS;

/** A page that both an open and a hidden task hold. */
export const SHARED_URL = "https://shared.example/";

/**
 * Ann with the folders work and garden, to which some of her keys are restricted, and home, to
 * which none is. Her tasks: `inside` and `done` in work, `hidden` in home, `loose` in none, and the
 * inbox.
 */
export const annWithFolders = async (server: TestServer) => {
  const ann = await newcomer(server);
  const page = { pages: [{ id: "p", url: SHARED_URL, title: "page" }] };
  const body = [
    change("sync_projects", "work", { name: "Work" }),
    change("sync_projects", "garden", { name: "Garden" }),
    change("sync_projects", "home", { name: "Home" }),
    change("sync_tasks", "inside", { title: "inside", project_id: "work", ...page }),
    change("sync_tasks", "done", { title: "done", project_id: "work", status: "done" }),
    change("sync_tasks", "hidden", { title: "hidden", project_id: "home", ...page }),
    change("sync_tasks", "loose", { title: "loose" }),
  ];
  await server.call("POST", "/sync", { token: ann.session, body });
  const tabs = [{ url: "https://inbox.example/" }];
  const filed = await server.call("POST", "/inbox/tabs", { token: ann.session, body: tabs });
  const pull = async (): Promise<unknown> =>
    (await server.call("GET", "/sync", { token: ann.session })).json.changes;
  return { ann, inbox: filed.json.task.id as string, pull };
};

/** Ann's data, one of her keys for each restriction, and one without. */
export const withRestrictedKeys = async (server: TestServer) => {
  const world = await annWithFolders(server);
  const { ann } = world;
  return {
    ...world,
    free: await ann.key(),
    some: await ann.key(["read", "write"], "some", RESTRICTIONS.folders),
    boxed: await ann.key(["read", "write"], "boxed", RESTRICTIONS.inbox),
    push: (...body: readonly unknown[]) =>
      server.call("POST", "/sync", { token: ann.session, body }),
  };
};

/** The result of a call: the status of a success, or a refusal. */
export type Outcome = number | readonly [number, string];

/** One way of calling a route, and the results for keys with both scopes, by restriction. */
export type RestrictionCase = {
  /** The task in the path. */
  readonly id?: string;
  readonly body?: unknown;
  readonly outcome: Readonly<Record<RestrictionName, Outcome>>;
};

export const SAYS_RESTRICTION = {
  toInbox:
    "This key is restricted to the inbox, so it can only file tabs there. Nothing was changed.",
  toFolders: (deed: string) =>
    `This key is restricted to its folders, so it cannot ${deed}. Nothing was changed.`,
  intoNone:
    "This key is restricted to its folders. Send one of them as folder. GET /projects lists them.",
  noFolder:
    "folder does not match any folder in this account. Send an id or exact name from GET /projects.",
  noProject:
    "project_id does not match any folder in this account. Send an id or exact name from GET /projects.",
} as const;

const NO_TASK = [404, SAYS.noTask] as const;
const TO_INBOX = [403, SAYS_RESTRICTION.toInbox] as const;
const TO_FOLDERS = (deed: string) => [403, SAYS_RESTRICTION.toFolders(deed)] as const;
const NOWHERE = [422, SAYS_RESTRICTION.intoNone] as const;
const NO_FOLDER = [422, SAYS_RESTRICTION.noFolder] as const;
const NO_PROJECT = [422, SAYS_RESTRICTION.noProject] as const;
const TWO_FOLDERS = [
  422,
  "folder and project_id mean different folders. Send only one of them.",
] as const;
const TABS = [{ url: "https://a.example/" }];

/** A write to each task. A key restricted to the inbox can make none. */
const onEachTask = (ok: number, body?: unknown): readonly RestrictionCase[] => [
  { id: "inside", body, outcome: { none: ok, folders: ok, inbox: TO_INBOX } },
  { id: "done", body, outcome: { none: ok, folders: ok, inbox: TO_INBOX } },
  { id: "hidden", body, outcome: { none: ok, folders: NO_TASK, inbox: TO_INBOX } },
  { id: "loose", body, outcome: { none: ok, folders: NO_TASK, inbox: TO_INBOX } },
  { id: "INBOX", body, outcome: { none: ok, folders: NO_TASK, inbox: TO_INBOX } },
  { id: "none", body, outcome: { none: NO_TASK, folders: NO_TASK, inbox: TO_INBOX } },
];

const move = (id: string, from: string, none: Outcome, folders: Outcome): RestrictionCase => ({
  id,
  body: { from, tabs: ["p"] },
  outcome: { none, folders, inbox: TO_INBOX },
});

const NO_TAB = [
  422,
  'There is no tab "p" in the task that tabs are moved from. Read that task for the ids of its tabs. Nothing was moved.',
] as const;

/** From and to each task, within the folders and out of them. */
const MOVES: readonly RestrictionCase[] = [
  move("done", "inside", 200, 200),
  move("inside", "done", NO_TAB, NO_TAB),
  move("hidden", "inside", 200, NO_TASK),
  move("loose", "inside", 200, NO_TASK),
  move("inside", "hidden", 200, NO_TASK),
  move("inside", "loose", NO_TAB, NO_TASK),
  move("inside", "inbox", NO_TAB, NO_TASK),
  move("INBOX", "inside", 200, NO_TASK),
  move("none", "inside", NO_TASK, NO_TASK),
];

const NO_NOTE = [404, "Note not found. It may have been deleted."] as const;

/** Of several tasks, those that are out of reach are named. */
const many = (ids: readonly string[], set: object, folders: Outcome): RestrictionCase => ({
  body: { ids, set },
  outcome: { none: 200, folders, inbox: TO_INBOX },
});

const OUT_OF_REACH = (at: number, id: string) =>
  [422, `ids.${at} is no task that can be changed here: "${id}". Nothing was changed.`] as const;

const NO_CLAIM = [404, "Claim not found. It may have been deleted."] as const;
const NOT_OPEN = [422, "This task is not open, so there is nothing to work on."] as const;

const claim = (body: object, none: Outcome, folders: Outcome): RestrictionCase => ({
  body,
  outcome: { none, folders, inbox: TO_INBOX },
});

const into = (place: object, folders: Outcome): RestrictionCase => ({
  body: { title: "t", ...place },
  outcome: { none: 201, folders, inbox: TO_INBOX },
});

const to = (place: object, folders: Outcome, id = "inside"): RestrictionCase => ({
  id,
  body: place,
  outcome: { none: 200, folders, inbox: TO_INBOX },
});

/**
 * The effect of a restriction on each route. A new route must be added here, as `the same` if it
 * neither shows nor changes tasks and folders.
 */
export const RESTRICTION_CASES: Readonly<Record<string, readonly RestrictionCase[] | "the same">> =
  {
    [`GET ${V1}/me`]: "the same",
    [`GET ${V1}/entitlement`]: "the same",
    [`GET ${V1}/sync`]: "the same",
    [`POST ${V1}/sync`]: "the same",
    [`GET ${V1}/icons`]: "the same",
    [`POST ${V1}/icons`]: "the same",
    [`GET ${V1}/tasks`]: [{ outcome: { none: 200, folders: 200, inbox: 200 } }],
    [`POST ${V1}/tasks`]: [
      into({}, NOWHERE),
      into({ folder: null }, NOWHERE),
      into({ project_id: null }, NOWHERE),
      into({ folder: "work" }, 201),
      into({ folder: "Garden" }, 201),
      into({ project_id: "garden" }, 201),
      into({ folder: "home" }, NO_FOLDER),
      into({ folder: "Home" }, NO_FOLDER),
      into({ project_id: "home" }, NO_PROJECT),
      {
        body: { title: "t", folder: "work", project_id: "home" },
        outcome: { none: TWO_FOLDERS, folders: NO_PROJECT, inbox: TO_INBOX },
      },
    ],
    [`GET ${V1}/tasks/{id}`]: [
      { id: "inside", outcome: { none: 200, folders: 200, inbox: NO_TASK } },
      { id: "done", outcome: { none: 200, folders: 200, inbox: NO_TASK } },
      { id: "hidden", outcome: { none: 200, folders: NO_TASK, inbox: NO_TASK } },
      { id: "loose", outcome: { none: 200, folders: NO_TASK, inbox: NO_TASK } },
      { id: "INBOX", outcome: { none: 200, folders: NO_TASK, inbox: 200 } },
      { id: "none", outcome: { none: NO_TASK, folders: NO_TASK, inbox: NO_TASK } },
    ],
    [`PATCH ${V1}/tasks/{id}`]: [
      ...onEachTask(200, { title: "u" }),
      to({ folder: "garden" }, 200),
      to({ folder: "Work" }, 200),
      to({ folder: null }, NOWHERE),
      to({ project_id: null }, NOWHERE),
      to({ folder: "home" }, NO_FOLDER),
      to({ folder: "Home" }, NO_FOLDER),
      to({ project_id: "home" }, NO_PROJECT),
      to({ folder: "work" }, NO_TASK, "hidden"),
      to({ folder: "work" }, NO_TASK, "loose"),
    ],
    [`PATCH ${V1}/tasks`]: [
      many(["inside", "done"], { title: "u" }, 200),
      many(["inside", "hidden"], { title: "u" }, OUT_OF_REACH(1, "hidden")),
      many(["loose", "inside"], { title: "u" }, OUT_OF_REACH(0, "loose")),
      many(["inside", "done"], { folder: "home" }, NO_FOLDER),
      many(["inside", "done"], { folder: null }, NOWHERE),
    ],
    [`PATCH ${V1}/tasks/{id}/notes/{note}`]: [
      {
        id: "inside",
        body: { text: "m" },
        outcome: { none: NO_NOTE, folders: NO_NOTE, inbox: TO_INBOX },
      },
      {
        id: "hidden",
        body: { text: "m" },
        outcome: { none: NO_NOTE, folders: NO_TASK, inbox: TO_INBOX },
      },
    ],
    [`POST ${V1}/tasks/{id}/tabs`]: onEachTask(201, TABS),
    [`POST ${V1}/tasks/{id}/notes`]: onEachTask(201, { text: "n" }),
    [`GET ${V1}/changes`]: [{ outcome: { none: 200, folders: 200, inbox: 200 } }],
    [`GET ${V1}/claims`]: [{ outcome: { none: 200, folders: 200, inbox: 200 } }],
    [`POST ${V1}/claims`]: [
      claim({ task: "inside" }, 201, 201),
      claim({ task: "done" }, NOT_OPEN, NOT_OPEN),
      claim({ task: "hidden" }, 201, NO_TASK),
      claim({ task: "loose" }, 201, NO_TASK),
      claim({ task: "none" }, NO_TASK, NO_TASK),
      claim({ filter: { folder: "home" } }, 201, [422, `filter.${NO_FOLDER[1]}`]),
      claim({ filter: { folder: "work" } }, 201, 201),
      claim({ filter: { tag: "none" } }, 200, 200),
    ],
    [`POST ${V1}/claims/{id}/renew`]: [
      { id: "inside", body: {}, outcome: { none: NO_CLAIM, folders: NO_CLAIM, inbox: TO_INBOX } },
    ],
    [`POST ${V1}/claims/{id}/release`]: [
      { id: "inside", body: {}, outcome: { none: 200, folders: 200, inbox: TO_INBOX } },
    ],
    [`GET ${V1}/inbox`]: [{ outcome: { none: 200, folders: 200, inbox: 200 } }],
    [`POST ${V1}/tasks/{id}/tabs/move`]: MOVES,
    [`POST ${V1}/inbox/tabs`]: [
      {
        body: TABS,
        outcome: { none: 201, folders: TO_FOLDERS("file into the inbox"), inbox: 201 },
      },
    ],
    [`GET ${V1}/projects`]: [{ outcome: { none: 200, folders: 200, inbox: 200 } }],
    [`POST ${V1}/projects`]: [
      {
        body: { name: "n" },
        outcome: { none: 201, folders: TO_FOLDERS("create a folder"), inbox: TO_INBOX },
      },
    ],
    "GET /.well-known/oauth-authorization-server": "the same",
    "GET /.well-known/oauth-protected-resource": "the same",
    "GET /.well-known/oauth-protected-resource/mcp": "the same",
    "POST /oauth/register": "the same",
    "POST /oauth/token": "the same",
    "POST /oauth/revoke": "the same",
    "GET /healthz": "the same",
    "GET /readyz": "the same",
    "GET /openapi.json": "the same",
  };
