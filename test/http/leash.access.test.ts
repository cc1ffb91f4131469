import { expect, test } from "bun:test";
import type { Scope } from "../../src/caller.ts";
import { placeName } from "../../src/door/place.ts";
import { ROUTES } from "../../src/http/api.ts";
import { EXPECTED } from "../_access.ts";
import {
  annWithFolders,
  LEASH_CASES,
  type LeashCase,
  type LeashName,
  LEASHES,
  type Told,
} from "../_leashes.ts";
import { expectRefusal, SAYS, sharedServer } from "../_replies.ts";

const server = await sharedServer({ limits: { perMinute: 1000, perHour: 1000 } });
const { call } = server;

const FORM = { "content-type": "application/x-www-form-urlencoded" };

const SCOPES: readonly (readonly Scope[])[] = [["read"], ["write"], ["read", "write"]];
const COMBINATIONS = (Object.keys(LEASHES) as LeashName[]).flatMap((leash) =>
  SCOPES.map((scopes) => [leash, scopes] as const),
);

/** The scope comes before the leash. */
const verdict = (route: string, told: Told, scopes: readonly Scope[]): Told => {
  const needed = EXPECTED[route]?.kind;
  return (needed === "read" || needed === "write") && !scopes.includes(needed)
    ? [403, SAYS.lacks(needed)]
    : told;
};

const expectTold = (answer: Awaited<ReturnType<typeof call>>, told: Told, about: unknown): void => {
  if (typeof told === "number") expect([about, answer.status]).toEqual([about, told]);
  else expectRefusal(answer, ...told);
};

test("what a leash makes of it is written down for every route", () => {
  const served = ROUTES.map(({ method, path }) => `${method} ${placeName(path)}`);
  expect(Object.keys(LEASH_CASES).toSorted()).toEqual(served.toSorted());
});

test.each(COMBINATIONS)(
  "a key with the leash %s and the scopes %j gets what both let it have, and no more",
  async (leash, scopes) => {
    for (const [route, cases] of Object.entries(LEASH_CASES)) {
      if (cases === "the same") continue;
      const [method = "", path = ""] = route.split(" ");
      for (const one of cases) {
        const { ann, inbox, pull } = await annWithFolders(server);
        const token = await ann.key(scopes, "bot", LEASHES[leash]);
        const before = await pull();
        const address = `!${path.replace("{id}", one.id === "INBOX" ? inbox : (one.id ?? ""))}`;
        const told = verdict(route, one.told[leash], scopes);
        await expectSame(method, address, one, token, told);
        if (method === "GET" || typeof told !== "number") expect(await pull()).toEqual(before);
      }
    }
  },
  20_000,
);

/** Asked for a dry run, done, and for its head alone: told the same. */
const expectSame = async (
  method: string,
  address: string,
  { body }: LeashCase,
  token: string,
  told: Told,
): Promise<void> => {
  const about = [method, address, body];
  if (method !== "GET") {
    const asked = await call(method, `${address}?dry_run=true`, { token, body });
    expectTold(asked, typeof told === "number" ? 200 : told, about);
  }
  const answer = await call(method, address, { token, body });
  expectTold(answer, told, about);
  if (method !== "GET") return;
  const head = await call("HEAD", address, { token });
  expect([about, head.status, head.text]).toEqual([about, answer.status, ""]);
};

test.each(COMBINATIONS)(
  "with the leash %s and the scopes %j what says nothing of tasks is answered as ever",
  async (leash, scopes) => {
    const { ann, pull } = await annWithFolders(server);
    const before = await pull();
    const [bound, free] = [
      await ann.key(scopes, "bot", LEASHES[leash]),
      await ann.key(scopes, "bot"),
    ];
    for (const [route, cases] of Object.entries(LEASH_CASES)) {
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
