import type { Scope } from "../../src/domain/people/api-key.ts";
import { expect, test } from "bun:test";
import { endpointName } from "../../src/server/call.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { EXPECTED, filled } from "../support/access.ts";
import {
  annWithFolders,
  RESTRICTION_CASES,
  type RestrictionCase,
  type RestrictionName,
  RESTRICTIONS,
  type Outcome,
} from "../support/restrictions.ts";
import { expectRefusal, SAYS, sharedServer } from "../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 1000, perHour: 1000 } });
const { call } = server;

const FORM = { "content-type": "application/x-www-form-urlencoded" };

const SCOPES: readonly (readonly Scope[])[] = [["read"], ["write"], ["read", "write"]];
const COMBINATIONS = (Object.keys(RESTRICTIONS) as RestrictionName[]).flatMap((restriction) =>
  SCOPES.map((scopes) => [restriction, scopes] as const),
);

/** The scope is checked before the restriction. */
const verdict = (
  route: string,
  { body }: RestrictionCase,
  outcome: Outcome,
  scopes: readonly Scope[],
): Outcome => {
  const kind = EXPECTED[route]?.kind;
  const needed = kind === "keys" ? "write" : kind;
  // What asks which tasks there are needs both.
  if (
    scopes.includes("write") &&
    !scopes.includes("read") &&
    JSON.stringify(body)?.includes("filter")
  )
    return [403, SAYS.lacks("read")];
  if ((needed === "read" || needed === "write") && !scopes.includes(needed))
    return [403, SAYS.lacks(needed)];
  if (typeof outcome === "number" || !scopes.includes("read")) return outcome;
  // A key that may read learns the names that it can reach.
  const [status, says] = outcome;
  return says.includes("does not match any folder")
    ? [status, `${says} The nearest: "Garden", "Work".`]
    : outcome;
};

const expectOutcome = (
  answer: Awaited<ReturnType<typeof call>>,
  outcome: Outcome,
  about: unknown,
): void => {
  if (typeof outcome === "number") expect([about, answer.status]).toEqual([about, outcome]);
  else expectRefusal(answer, ...outcome);
};

test("The effect of a restriction is written down for every route", () => {
  const served = ROUTES.map(({ method, path }) => `${method} ${endpointName(path)}`);
  expect(Object.keys(RESTRICTION_CASES).toSorted()).toEqual(served.toSorted());
});

test.each(COMBINATIONS)(
  "A key with the restriction %s and the scopes %j gets exactly what both allow",
  async (restriction, scopes) => {
    for (const [route, cases] of Object.entries(RESTRICTION_CASES)) {
      if (cases === "the same") continue;
      const [method = "", path = ""] = route.split(" ");
      for (const one of cases) {
        const { ann, inbox, pull } = await annWithFolders(server);
        const token = await ann.key(scopes, "bot", RESTRICTIONS[restriction]);
        const before = await pull();
        const address = `!${filled(path, one.id === "INBOX" ? inbox : (one.id ?? ""))}`;
        const outcome = verdict(route, one, one.outcome[restriction], scopes);
        await expectSame(method, address, one, token, outcome);
        if (method === "GET" || typeof outcome !== "number") expect(await pull()).toEqual(before);
      }
    }
  },
);

/** A dry run, the call itself and a HEAD get the same reply. */
const expectSame = async (
  method: string,
  address: string,
  { body }: RestrictionCase,
  token: string,
  outcome: Outcome,
): Promise<void> => {
  const about = [method, address, body];
  if (method !== "GET") {
    const asked = await call(method, `${address}?dry_run=true`, { token, body });
    expectOutcome(asked, typeof outcome === "number" ? 200 : outcome, about);
  }
  const answer = await call(method, address, { token, body });
  expectOutcome(answer, outcome, about);
  if (method !== "GET") return;
  const head = await call("HEAD", address, { token });
  expect([about, head.status, head.text]).toEqual([about, answer.status, ""]);
};

test.each(COMBINATIONS)(
  "With the restriction %s and the scopes %j, routes without tasks answer as usual",
  async (restriction, scopes) => {
    const { ann, pull } = await annWithFolders(server);
    const before = await pull();
    const [bound, free] = [
      await ann.key(scopes, "bot", RESTRICTIONS[restriction]),
      await ann.key(scopes, "bot"),
    ];
    for (const [route, cases] of Object.entries(RESTRICTION_CASES)) {
      if (cases !== "the same") continue;
      const [method = "", path = ""] = route.split(" ");
      const { body, form } = EXPECTED[route] ?? {};
      const sent = form === undefined ? { body } : { body: form, headers: FORM };
      const answer = await call(method, `!${path}`, { token: bound, ...sent });
      const other = await call(method, `!${path}`, { token: free, ...sent });
      const { restriction: _own, ...shown } = answer.json ?? {};
      const { restriction: _none, ...wanted } = other.json ?? {};
      expect([route, answer.status, shown]).toEqual([route, other.status, wanted]);
    }
    expect(await pull()).toEqual(before);
  },
);
