import { expect, test } from "bun:test";
import { TOOLS } from "../../src/mcp/tools.ts";
import type { Restriction } from "../../src/domain/people/api-key.ts";
import {
  type Credential,
  CREDENTIALS,
  MOVE_SOURCE,
  THEIR_TASK,
  tokensOfAll,
} from "../support/access.ts";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { agent, calling, message } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const TABS = [{ url: "https://a.example/" }];

/** A tool, the scope that it needs, and the restrictions under which it is useless. */
type Expected = {
  readonly scope: "read" | "write" | null;
  readonly args: object;
  /**
   * Restrictions under which the tool is not listed. If it is called anyway, it refuses or finds
   * nothing.
   */
  readonly hidden: readonly Restriction["kind"][];
};

/** The list of tools, written a second time. A new tool must be added here. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  find_tasks: { scope: "read", args: {}, hidden: [] },
  read_task: { scope: "read", args: { task_id: THEIR_TASK }, hidden: [] },
  add_task: { scope: "write", args: { title: "t", folder: "Work" }, hidden: ["inbox"] },
  file_tabs: { scope: "write", args: { task_id: THEIR_TASK, tabs: TABS }, hidden: [] },
  move_tabs: {
    scope: "write",
    args: { from: "source", task_id: THEIR_TASK, tabs: ["tab"] },
    hidden: ["inbox"],
  },
  write_note: { scope: "write", args: { task_id: THEIR_TASK, text: "n" }, hidden: ["inbox"] },
  change_tasks: { scope: "write", args: { task_ids: [THEIR_TASK], title: "u" }, hidden: ["inbox"] },
  list_folders: { scope: "read", args: {}, hidden: ["inbox"] },
  add_folder: { scope: "write", args: { name: "n" }, hidden: ["inbox", "folders"] },
  find_changes: { scope: "read", args: {}, hidden: [] },
  claim_task: { scope: "write", args: { task_id: THEIR_TASK }, hidden: ["inbox"] },
  release_task: { scope: "write", args: { task_id: THEIR_TASK }, hidden: ["inbox"] },
};

const NO_CLAIMS =
  "Claims are for API keys. People and their devices never wait for one, and can end any.";

const SCOPES = {
  "read key": ["read"],
  "write key": ["write"],
  "read+write key": ["read", "write"],
  session: ["read", "write"],
} as const;

const has = (name: keyof typeof SCOPES, scope: Expected["scope"]): boolean =>
  scope === null || (SCOPES[name] as readonly string[]).includes(scope);

const isLetIn = (name: Credential): name is keyof typeof SCOPES => name in SCOPES;

test("Every tool is classified, and none deletes", () => {
  expect(TOOLS.map(({ name }) => name).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  for (const { name } of TOOLS) expect(name).not.toMatch(/delete|remove|trash|clear|drop|purge/);
});

test.each(CREDENTIALS.filter(isLetIn))(
  "%s sees the tools that it may use, and may use them",
  async (name) => {
    const tokens = await tokensOfAll(server);
    await server.call("POST", "/projects", { token: tokens.session, body: { name: "Work" } });
    const bot = agent(server, tokens[name]);
    const may = Object.entries(EXPECTED).filter(([, { scope }]) => has(name, scope));
    expect((await bot.tools()).toSorted()).toEqual(may.map(([tool]) => tool).toSorted());
    for (const [tool, { scope, args }] of Object.entries(EXPECTED)) {
      const { error } = await bot.use(tool, args);
      const isClaim = tool === "claim_task" && name === "session";
      const says = isClaim ? NO_CLAIMS : null;
      expect([tool, error]).toEqual([tool, has(name, scope) ? says : SAYS.lacks(scope ?? "")]);
    }
  },
);

/** Where a program can get a credential. */
const WHERE = `, resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="read write"`;

const REFUSED = {
  "no credential": [401, SAYS.credential],
  "revoked key": [401, SAYS.badCredential],
  "expired key": [401, SAYS.badCredential],
  "free key": [403, SAYS.free],
} as const;

test.each(Object.entries(REFUSED))(
  "%s is refused before any message is read",
  async (name, says) => {
    const bot = agent(server, (await tokensOfAll(server))[name as Credential]);
    const tools = Object.entries(EXPECTED).map(([tool, { args }]) => calling(tool, args));
    for (const body of [message("initialize"), message("tools/list"), "{", "", ...tools]) {
      const answer = await bot.post(body);
      expectRefusal(answer, says[0], says[1]);
      const challenge = answer.headers.get("www-authenticate");
      if (says[0] !== 401) expect(challenge).toBeNull();
      else if (says[1] === SAYS.credential) expect(challenge).toBe(`Bearer realm="docket"${WHERE}`);
      else expect(challenge).toBe(`Bearer realm="docket", error="invalid_token"${WHERE}`);
    }
  },
);

const RESTRICTIONS: readonly Restriction[] = [
  { kind: "folders", folders: ["work"] },
  { kind: "inbox" },
];
const KINDS = RESTRICTIONS.flatMap((restriction) =>
  ([["read"], ["write"], ["read", "write"]] as const).map(
    (scopes) => [restriction, scopes] as const,
  ),
);

test.each(KINDS)(
  "%j with scopes %j: a tool that is not listed is refused too",
  async (restriction, scopes) => {
    const ann = await newcomer(server);
    await server.call("POST", "/sync", {
      token: ann.session,
      body: [
        change("sync_projects", "work", { name: "Work" }),
        change("sync_tasks", THEIR_TASK, { title: "t", project_id: "work" }),
        {
          ...MOVE_SOURCE,
          payload: { ...(MOVE_SOURCE["payload"] as object), project_id: "work" },
        },
      ],
    });
    const bot = agent(server, await ann.key(scopes, "bot", restriction));
    const listed = await bot.tools();
    for (const [tool, { scope, args, hidden }] of Object.entries(EXPECTED)) {
      const inScope = scope === null || (scopes as readonly string[]).includes(scope);
      const useful = !hidden.includes(restriction.kind);
      expect([tool, listed.includes(tool)]).toEqual([tool, inScope && useful]);
      const { error, data } = await bot.use(tool, args);
      if (!inScope) expect(error).toBe(SAYS.lacks(scope));
      else if (restriction.kind === "folders" && useful)
        expect([tool, error]).toEqual([tool, null]);
      else if (tool === "list_folders") expect(data.folders).toEqual([]);
      else if (!useful || tool === "file_tabs")
        expect(error).toMatch(/^This key is restricted to /);
      else if (tool === "read_task") expect(error).toBe(SAYS.noTaskInTools);
      else expect(error).toBeNull();
    }
  },
);
