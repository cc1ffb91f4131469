import { beforeEach, expect, test } from "bun:test";
import { disableAccount, setPassword } from "../../src/db/people/accounts.ts";
import { issueInvitation } from "../../src/db/people/owner.ts";
import { listSessions } from "../../src/db/people/sessions.ts";
import { issuePairing } from "../../src/db/people/sign-ins.ts";
import { createBrowserSession, listBrowserSessions } from "../../src/db/people/browser-sessions.ts";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { networks } from "../../src/domain/base/usage.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { postForm, TOKEN } from "../support/extension.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import type { Person } from "../support/server.ts";
import { ask } from "../support/db/store.ts";

const server = await sharedServer({ settings: { isProxy: networks(["127.0.0.1"]) } });
const { call, store, clock } = server;

const ARRIVAL = { method: "password", client: null, address: "127.0.0.1" } as const;

const pairingFor = async ({ account: { id } }: Person): Promise<string> => {
  await createBrowserSession(store, id, ARRIVAL, cryptoRandom, clock.wall());
  const [browserSession] = await listBrowserSessions(store, id, clock.wall());
  return (await issuePairing(store, id, browserSession?.id ?? "", cryptoRandom, clock.wall())).code;
};

// Each test comes from a network address of its own, whose wrong codes are counted.
let addresses = 0;
beforeEach(() => {
  addresses++;
});
const address = (other = 0) => `198.51.${other}.${addresses}`;

const pair = (code: string, more: Readonly<Record<string, string>> = {}, agent?: string) =>
  postForm(
    server,
    "/oauth/token",
    { grant_type: "urn:docket:pairing", client_id: "docket-extension", code, ...more },
    { "x-forwarded-for": address(), ...(agent === undefined ? {} : { "user-agent": agent }) },
  );

const refusedBy = (problem: string) => ({
  error: "invalid_grant",
  error_description: `${problem} Open the Devices page of your account to get a new one. If that page lists a device you do not recognise, sign it out.`,
});
const UNKNOWN = refusedBy(
  "This code is not valid. It may be mistyped, or a newer code may have replaced it.",
);

/** The person's devices, except the one that everyone in these tests has. */
const paired = async ({ account }: Person) =>
  (await listSessions(store, account.id)).filter(({ name }) => name !== "laptop");

test("A pairing code becomes a session that syncs", async () => {
  const ann = await newcomer(server);
  const code = await pairingFor(ann);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  const answer = await pair(code, { device_name: "Ann's phone" });
  expect([answer.status, answer.json]).toEqual([
    200,
    TOKEN(expect.stringMatching(/^docket_sess_/)),
  ]);
  const token = answer.json.access_token as string;
  const body = [change("sync_tasks", "t1", { title: "t" })];
  expect((await call("POST", "/sync", { token, body })).status).toBe(200);
  expect((await call("GET", "/me", { token })).json.email).toBe(ann.account.email);
  expect(await paired(ann)).toMatchObject([{ name: "Ann's phone", applied: 1 }]);
});

test.each([
  ["in lower case", (code: string) => code.toLowerCase()],
  ["with spaces", (code: string) => ` ${code.replaceAll("-", " ")} `],
  ["without hyphens", (code: string) => code.replaceAll("-", "")],
  ["with dashes", (code: string) => code.replaceAll("-", "–")],
  ["with O for 0", (code: string) => code.replaceAll("0", "O")],
  ["with o for 0 and l for 1", (code: string) => code.replaceAll("0", "o").replaceAll("1", "l")],
  ["with I for 1", (code: string) => code.replaceAll("1", "I")],
  [
    "in full-width letters",
    (code: string) =>
      code.replaceAll(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ],
])("A code can be typed %s", async (_name, typed) => {
  const ann = await newcomer(server);
  let code = await pairingFor(ann);
  while (!/0/.test(code) || !/1/.test(code)) code = await pairingFor(ann);
  expect((await pair(typed(code))).status).toBe(200);
});

test("A device without a name is named after its browser", async () => {
  const ann = await newcomer(server);
  await pair(await pairingFor(ann), {}, "Mozilla/5.0 (Android 15; Mobile; rv:1) Firefox/150.0");
  await pair(await pairingFor(ann), { device_name: "" }, "curl/8");
  expect((await paired(ann)).map(({ name }) => name)).toEqual(["Firefox on Android", "curl/8"]);
});

test("A wrong name or client does not use up the code", async () => {
  const code = await pairingFor(await newcomer(server));
  const named = await pair(code, { device_name: "a\nb" });
  expect([named.status, named.json]).toEqual([
    400,
    {
      error: "invalid_request",
      error_description:
        "device_name must be 1 to 100 printable characters. Send a different name with the same code.",
    },
  ]);
  const client = await pair(code, { client_id: "docket" });
  expect([client.status, client.json]).toEqual([
    400,
    { error: "invalid_client", error_description: "client_id must be docket-extension." },
  ]);
  expect((await pair(code)).status).toBe(200);
});

test("A code pairs one device; a second attempt is refused and ends nothing", async () => {
  const ann = await newcomer(server);
  const code = await pairingFor(ann);
  const first = await pair(code);
  const second = await pair(code);
  expect([second.status, second.json]).toEqual([
    400,
    refusedBy("This code has already been used."),
  ]);
  const token = first.json.access_token as string;
  expect((await call("GET", "/me", { token })).status).toBe(200);
});

test("Of many devices that use a code at once, exactly one is signed in", async () => {
  const ann = await newcomer(server);
  const code = await pairingFor(ann);
  const answers = await Promise.all(Array.from({ length: 10 }, () => pair(code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 400),
  ]);
  expect(await paired(ann)).toHaveLength(1);
});

test("A code is valid for ten minutes", async () => {
  const ann = await newcomer(server);
  const [early, late] = [await pairingFor(ann), await pairingFor(ann)];
  clock.advance(10 * MINUTE - 1);
  expect((await pair(early)).status).toBe(200);
  clock.advance(1);
  const answer = await pair(late);
  expect([answer.status, answer.json]).toEqual([400, refusedBy("This code has expired.")]);
});

test("Ann can have five valid codes at a time; bob's are not affected", async () => {
  const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
  const hers = await pairingFor(bob);
  const mine: string[] = [];
  for (let made = 0; made < 7; made++) mine.push(await pairingFor(ann));
  const statuses = [];
  for (const code of mine) statuses.push((await pair(code)).status);
  expect(statuses).toEqual([400, 400, 200, 200, 200, 200, 200]);
  expect((await pair(hers)).status).toBe(200);
});

test("The account that created the code gets the device", async () => {
  const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
  const answer = await pair(await pairingFor(bob));
  const me = await call("GET", "/me", { token: answer.json.access_token });
  expect(me.json.email).toBe(bob.account.email);
  expect(await paired(ann)).toEqual([]);
});

test("Anything but a pairing code is unknown", async () => {
  const ann = await newcomer(server);
  const code = await pairingFor(ann);
  const other = code.replace(/.$/, (last) => (last === "Z" ? "Y" : "Z"));
  for (const typed of ["x", "----", other, `${code}0`, code.slice(1), ann.session, "%00"]) {
    const answer = await pair(typed);
    expect([answer.status, answer.json]).toEqual([400, UNKNOWN]);
  }
  expect((await pair(code)).status).toBe(200);
});

test("Codes of other kinds pair nothing, and a pairing code is not an authorization code", async () => {
  const ann = await newcomer(server);
  ask(server.directory, "UPDATE account SET owner = 1 WHERE id = ?", ann.account.id);
  const invitation = await issueInvitation(store, ann.account.id, cryptoRandom, clock.wall());
  expect((await pair(invitation)).json).toEqual(UNKNOWN);
  const code = await pairingFor(ann);
  const answer = await postForm(server, "/oauth/token", {
    grant_type: "authorization_code",
    client_id: "docket-extension",
    code,
    redirect_uri: "https://a.example/",
    code_verifier: "x".repeat(43),
  });
  expect([answer.status, answer.json.error]).toEqual([400, "invalid_grant"]);
  expect((await pair(code)).status).toBe(200);
});

test("A code of a disabled account, or from before a new password, is void", async () => {
  const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
  const [hers, his] = [await pairingFor(ann), await pairingFor(bob)];
  await disableAccount(store, ann.account.email, clock.wall());
  await setPassword(store, bob.account.email, "x", { browserSessionId: null }, clock.wall());
  expect((await pair(hers)).json).toEqual(
    refusedBy("The account that this code belongs to is disabled."),
  );
  expect((await pair(his)).json).toEqual(UNKNOWN);
});

const guess = (from = address()) =>
  postForm(
    server,
    "/oauth/token",
    {
      grant_type: "urn:docket:pairing",
      client_id: "docket-extension",
      code: "AAAA-BBBB-CCCC-DDDD",
    },
    { "x-forwarded-for": from },
  );

const slowDown = (seconds: number) => ({
  error: "slow_down",
  error_description: `Too many attempts to sign in have failed. Try again in ${seconds} s.`,
});

test("Guessing codes gets ten attempts from one network address, then a wait that doubles", async () => {
  const ann = await newcomer(server);
  const code = await pairingFor(ann);
  for (let tries = 0; tries < 10; tries++) expect((await guess()).json).toEqual(UNKNOWN);
  for (const seconds of [15, 30, 60]) {
    const answer = await guess();
    expect([answer.status, answer.json, answer.headers.get("retry-after")]).toEqual([
      429,
      slowDown(seconds),
      String(seconds),
    ]);
    // The right code has to wait as well, and stays good.
    expect((await pair(code)).status).toBe(429);
    clock.advance(seconds * SECOND);
    expect((await guess()).json).toEqual(UNKNOWN);
  }
  const failures = server.logged
    .map((line) => JSON.parse(line))
    .filter(({ by }) => by === "pairing-code");
  expect(failures.at(-2)).toMatchObject({
    address: address(),
    account: null,
    because: "throttled",
  });
  expect(await paired(ann)).toEqual([]);
  clock.advance(2 * MINUTE);
  expect((await pair(code)).status).toBe(200);
});

test("A hundred guesses at once get ten judged", async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => guess()));
  const judged = answers.filter(({ status }) => status === 400);
  expect([judged.length, answers.filter(({ status }) => status === 429).length]).toEqual([10, 90]);
});

test("A device that pairs does not clear the guesses of its network, and other networks do not wait", async () => {
  const ann = await newcomer(server);
  for (let tries = 0; tries < 9; tries++) await guess();
  expect((await pair(await pairingFor(ann))).status).toBe(200);
  expect((await guess()).status).toBe(400);
  expect((await guess()).status).toBe(429);
  expect((await guess(address(1))).status).toBe(400);
});
