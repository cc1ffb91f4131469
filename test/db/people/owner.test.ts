import { describe, expect, test } from "bun:test";
import { addAccount, disableAccount, listAccounts } from "../../../src/db/people/accounts.ts";
import {
  checkCode,
  findOwner,
  issueInvitation,
  issueSetUpCode,
  setUpOwner,
} from "../../../src/db/people/owner.ts";
import { linkIdentity, listIdentities } from "../../../src/db/people/identities.ts";
import type { Store } from "../../../src/db/store.ts";
import { createSession } from "../../../src/db/people/sessions.ts";
import {
  createBrowserSession,
  findBrowserSession,
} from "../../../src/db/people/browser-sessions.ts";
import { type Instant, MINUTE } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { ask, openForTest } from "../../support/db/store.ts";

const SIGN_IN = { method: "setup", client: null, address: "192.0.2.1" } as const;
const joining = (code: string, email = "ann@example.org") =>
  ({ code, email, passwordHash: `hash of ${email}`, plan: "pro" }) as const;

const setUp = (store: Store, code: string, email?: string, now: Instant = NOON) =>
  setUpOwner(store, joining(code, email), SIGN_IN, cryptoRandom, now);

const NEW_SETUP =
  "To get a new one, run `docket owner link` on the server's machine, or restart the server.";
const UNKNOWN = "This code is not valid. It may be mistyped, or a newer code may have replaced it.";
const invalid = (message: string) => ({ reason: "invalid", message, headers: {} }) as const;
const OWNED = {
  reason: "forbidden",
  message:
    "This server already has an owner. To set a new password, run `docket account password ann@example.org`.",
  headers: {},
} as const;

describe("Set-up", () => {
  test("creates the owner and signs their browser in", async () => {
    const store = await openForTest();
    expect(await findOwner(store)).toBeNull();
    const code = await issueSetUpCode(store, cryptoRandom, NOON);
    await checkCode(store, "setup", code, NOON);
    const { secret: cookie } = await setUp(store, code.toLowerCase().replaceAll("-", " "));
    const owner = { email: "ann@example.org", isOwner: true, plan: "pro" };
    expect(await findOwner(store)).toMatchObject(owner);
    expect(await findBrowserSession(store, cookie, NOON)).toMatchObject({
      account: owner,
      browserSession: { method: "setup", address: "192.0.2.1" },
    });
  });

  test("refuses a code that is wrong, expired, replaced, used or an invitation's", async () => {
    const store = await openForTest();
    const replaced = await issueSetUpCode(store, cryptoRandom, NOON);
    const code = await issueSetUpCode(store, cryptoRandom, NOON);
    const end = NOON + 30 * MINUTE;
    for (const [typed, now, message] of [
      ["", NOON, UNKNOWN],
      ["0000-0000-0000-0000-0000-0000", NOON, UNKNOWN],
      [replaced, NOON, UNKNOWN],
      [code, end, "This code has expired."],
    ] as const) {
      const refusal = invalid(`${message} ${NEW_SETUP}`);
      expect(await refused(() => checkCode(store, "setup", typed, now))).toEqual(refusal);
      expect(await refused(() => setUp(store, typed, undefined, now))).toEqual(refusal);
    }
    expect([await listAccounts(store), await findOwner(store)]).toEqual([[], null]);
    await setUp(store, code, "ann@example.org", end - 1);
    expect(await refused(() => setUp(store, code, "bob@example.org"))).toEqual(
      invalid(`This code has already been used. ${NEW_SETUP}`),
    );
    const invitation = await issueInvitation(store, 1, cryptoRandom, NOON);
    expect(await refused(() => setUp(store, invitation, "bob@example.org"))).toEqual(
      invalid(`${UNKNOWN} ${NEW_SETUP}`),
    );
  });

  test("issues no code once there is an owner", async () => {
    const store = await openForTest();
    await setUp(store, await issueSetUpCode(store, cryptoRandom, NOON));
    expect(await refused(() => issueSetUpCode(store, cryptoRandom, NOON))).toEqual(OWNED);
  });

  test("by fifty requests at once, from two processes, creates one owner and leaves nothing half done", async () => {
    const store = await openForTest();
    const other = await openForTest({ directory: store.directory, role: "visitor" });
    const code = await issueSetUpCode(store, cryptoRandom, NOON);
    const tries = Array.from({ length: 50 }, (_, at) =>
      setUp(at % 2 ? store : other, code, `person.${at}@example.org`),
    );
    const ended = await Promise.allSettled(tries);
    const cookies = ended.flatMap((end) => (end.status === "fulfilled" ? [end.value.secret] : []));
    expect(cookies).toHaveLength(1);
    for (const end of ended)
      if (end.status === "rejected")
        expect(end.reason).toMatchObject(invalid(`This code has already been used. ${NEW_SETUP}`));
    const [owner, ...more] = await listAccounts(store);
    expect([owner?.isOwner, more]).toEqual([true, []]);
    expect((await findBrowserSession(store, cookies[0] ?? "", NOON))?.account).toEqual(owner);
    expect(ask(store.directory, "SELECT count(*) AS n FROM visit")).toEqual([{ n: 1 }]);
  });

  test("takes over an account that was added on the command line, and signs everyone else out of it", async () => {
    const store = await openForTest();
    const made = await addAccount(
      store,
      "ann@example.org",
      { plan: "free", passwordHash: "old" },
      NOON,
    );
    const before = await createBrowserSession(store, made.id, SIGN_IN, cryptoRandom, NOON);
    const device = await createSession(store, made.id, "laptop", cryptoRandom, NOON);
    const theirs = { issuer: "https://id.example", subject: "s", label: "s" };
    await linkIdentity(store, made.id, theirs, NOON);
    await disableAccount(store, "ann@example.org", NOON);
    const code = await issueSetUpCode(store, cryptoRandom, NOON);
    const { secret: cookie } = await setUp(store, code);
    expect(await findOwner(store)).toEqual({ ...made, isOwner: true });
    expect(await findBrowserSession(store, cookie, NOON)).not.toBeNull();
    expect(await findBrowserSession(store, before, NOON)).toBeNull();
    expect(ask(store.directory, "SELECT password_hash FROM account")).toEqual([
      { password_hash: "hash of ann@example.org" },
    ]);
    expect(
      ask(store.directory, "SELECT revoked_at FROM session WHERE id = ?", device.session.id),
    ).toEqual([{ revoked_at: NOON }]);
    expect(await listIdentities(store, made.id)).toEqual([]);
  });
});
