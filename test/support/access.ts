import { setPlan } from "../../src/db/people/accounts.ts";
import { createKey, listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { change, newcomer, V1 } from "./replies.ts";
import type { TestServer } from "./server.ts";

/** Every kind of credential that a request can have. */
export const CREDENTIALS = [
  "no credential",
  "read key",
  "write key",
  "read+write key",
  "session",
  "revoked key",
  "expired key",
  "free key",
] as const;

export type Credential = (typeof CREDENTIALS)[number];

/** The id of a task of the person whose credentials these are. */
export const THEIR_TASK = "theirs";

/** The id of a task from which tabs can be moved. */
const SOURCE = "source";

/** A task with the same tab twice, so that two callers can move it. */
export const MOVE_SOURCE = change("sync_tasks", SOURCE, {
  title: "s",
  pages: Array.from({ length: 4 }, () => ({ id: "tab", url: "https://moved.example/" })),
});

/** The id of a note in it that an agent wrote. */
const THEIR_NOTE = "note";

/** Returns a path of the table with the ids of their records. */
export const filled = (path: string, id = THEIR_TASK): string =>
  path.replace("{id}", id).replace("{note}", THEIR_NOTE);

type Person = { readonly session: string; key(): Promise<string> };

/** Gives a person a task with a note that an agent wrote, and one to move tabs from. */
export const fillAccount = async (
  { call }: Pick<TestServer, "call">,
  { session: token, key }: Person,
): Promise<void> => {
  await call("POST", "/sync", {
    token,
    body: [change("sync_tasks", THEIR_TASK, { title: "t" }), MOVE_SOURCE],
  });
  await call("POST", `/tasks/${THEIR_TASK}/notes`, { token: await key(), body: { text: "n" } });
  // A device gives it another id, by which the tests know it.
  const { json } = await call("GET", `/tasks/${THEIR_TASK}`, { token });
  const notes = [{ id: THEIR_NOTE, text: "n" }];
  const updated_at = new Date(Date.parse(String(json["updated_at"])) + 1).toISOString();
  const payload = { title: "t", notes };
  await call("POST", "/sync", {
    token,
    body: [change("sync_tasks", THEIR_TASK, payload, { updated_at, base: json["rev"] })],
  });
};

/**
 * A token for each credential. All belong to one person, except the last, whose account is not Pro.
 */
export const tokensOfAll = async (
  server: TestServer,
): Promise<Readonly<Record<Credential, string | undefined>>> => {
  const ann = await newcomer(server);
  const bob = await newcomer(server, "bob");
  await fillAccount(server, ann);
  const revoked = await ann.key(["read", "write"], "revoked");
  const keys = await listKeys(server.store, ann.account.id);
  const id = keys.find(({ name }) => name === "revoked")?.id ?? "";
  await revokeKey(server.store, null, id, server.clock.wall());
  const keyFields = {
    name: "expired",
    scopes: ["read", "write"] as const,
    restriction: null,
    expiresAt: server.clock.wall(),
  };
  const expired = await createKey(server.store, ann.account.id, keyFields, cryptoRandom, 0);
  const free = await bob.key();
  const grant = { plan: "free", until: null, source: null } as const;
  await setPlan(server.store, bob.account.email, grant, server.clock.wall());
  return {
    "no credential": undefined,
    "read key": await ann.key(["read"]),
    "write key": await ann.key(["write"]),
    "read+write key": await ann.key(),
    session: ann.session,
    "revoked key": revoked,
    "expired key": expired.secret,
    "free key": free,
  };
};

/** Who may call a route. */
export type Kind =
  "any credential" | "keys" | "anyone" | "own devices" | "read" | "session" | "write";

/** A route's kind, and its status when everything is right. */
type Expected = {
  readonly kind: Kind;
  readonly ok: number;
  /** A request in which only the credential can be wrong. */
  readonly body?: unknown;
  readonly form?: string;
  readonly query?: string;
};

const TABS = [{ url: "https://a.example/" }];
const MOVE = { from: SOURCE, tabs: ["tab"] };

/**
 * The table in section 4 of the specification, written a second time. A new route must be added
 * here.
 */
export const EXPECTED: Readonly<Record<string, Expected>> = {
  [`GET ${V1}/me`]: { kind: "any credential", ok: 200 },
  [`GET ${V1}/entitlement`]: { kind: "any credential", ok: 200 },
  [`GET ${V1}/sync`]: { kind: "session", ok: 200 },
  [`POST ${V1}/sync`]: { kind: "session", ok: 200, body: [] },
  [`GET ${V1}/icons`]: { kind: "own devices", ok: 200, query: "hosts=a.example" },
  [`POST ${V1}/icons`]: { kind: "own devices", ok: 200, body: { icons: [] } },
  [`GET ${V1}/tasks`]: { kind: "read", ok: 200 },
  [`POST ${V1}/tasks`]: { kind: "write", ok: 201, body: { title: "t" } },
  [`GET ${V1}/tasks/{id}`]: { kind: "read", ok: 200 },
  [`PATCH ${V1}/tasks/{id}`]: { kind: "write", ok: 200, body: { title: "u" } },
  [`PATCH ${V1}/tasks`]: {
    kind: "write",
    ok: 200,
    body: { ids: [THEIR_TASK], set: { title: "u" } },
  },
  [`POST ${V1}/tasks/{id}/tabs`]: { kind: "write", ok: 201, body: TABS },
  [`POST ${V1}/tasks/{id}/tabs/move`]: { kind: "write", ok: 200, body: MOVE },
  [`POST ${V1}/tasks/{id}/notes`]: { kind: "write", ok: 201, body: { text: "n" } },
  [`PATCH ${V1}/tasks/{id}/notes/{note}`]: { kind: "write", ok: 200, body: { text: "m" } },
  [`GET ${V1}/inbox`]: { kind: "read", ok: 200 },
  [`POST ${V1}/inbox/tabs`]: { kind: "write", ok: 201, body: TABS },
  [`GET ${V1}/changes`]: { kind: "read", ok: 200 },
  [`GET ${V1}/claims`]: { kind: "read", ok: 200 },
  [`POST ${V1}/claims`]: { kind: "keys", ok: 201, body: { task: THEIR_TASK } },
  [`POST ${V1}/claims/{id}/renew`]: { kind: "keys", ok: 200, body: { for: "30m" } },
  [`POST ${V1}/claims/{id}/release`]: { kind: "write", ok: 200, body: {} },
  [`GET ${V1}/projects`]: { kind: "read", ok: 200 },
  [`POST ${V1}/projects`]: { kind: "write", ok: 201, body: { name: "n" } },
  "GET /.well-known/oauth-authorization-server": { kind: "anyone", ok: 200 },
  "GET /.well-known/oauth-protected-resource": { kind: "anyone", ok: 200 },
  "GET /.well-known/oauth-protected-resource/mcp": { kind: "anyone", ok: 200 },
  "POST /oauth/register": {
    kind: "anyone",
    ok: 201,
    body: { redirect_uris: ["http://localhost/callback"] },
  },
  // A code needs no credential with it, and a credential does not replace a code.
  "POST /oauth/token": { kind: "anyone", ok: 400, form: "grant_type=none" },
  "POST /oauth/revoke": { kind: "anyone", ok: 200, form: "token=none" },
  "GET /healthz": { kind: "anyone", ok: 200 },
  "GET /readyz": { kind: "anyone", ok: 200 },
  "GET /openapi.json": { kind: "anyone", ok: 200 },
};
