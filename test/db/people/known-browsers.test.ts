import { expect, test } from "bun:test";
import {
  createBrowserSession,
  isKnownBrowser,
  rememberBrowser,
} from "../../../src/db/people/browser-sessions.ts";
import { SECOND } from "../../../src/domain/base/instant.ts";
import { cryptoRandom, mintSecret } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, ask, openForTest } from "../../support/db/store.ts";

test("A browser is known only to the account that signed in from it", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const cookie = await rememberBrowser(store, ann, null, cryptoRandom, NOON);
  expect(cookie).toMatch(/^docket_page_[0-9A-Za-z]{38}$/);
  expect(await isKnownBrowser(store, ann, cookie)).toBe(true);
  expect(await isKnownBrowser(store, bob, cookie)).toBe(false);
  const rows = JSON.stringify(ask(store.directory, "SELECT *, hex(digest) FROM known_browser"));
  expect(rows).not.toContain(cookie.slice(12));
});

test("A browser keeps its cookie when it signs in again, and gets another one for another account", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const first = await rememberBrowser(store, ann, null, cryptoRandom, NOON);
  expect(await rememberBrowser(store, ann, first, cryptoRandom, NOON + SECOND)).toBe(first);
  expect(await rememberBrowser(store, bob, first, cryptoRandom, NOON + SECOND)).not.toBe(first);
  expect(await isKnownBrowser(store, ann, first)).toBe(true);
});

test("A browser cannot become known with a cookie of its own choice", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const signIn = { method: "password", client: null, address: "192.0.2.1" } as const;
  const browserSession = await createBrowserSession(store, ann, signIn, cryptoRandom, NOON);
  for (const chosen of ["", "chosen", mintSecret("page", cryptoRandom), browserSession]) {
    expect(await isKnownBrowser(store, ann, chosen)).toBe(false);
    expect(await rememberBrowser(store, ann, chosen, cryptoRandom, NOON)).not.toBe(chosen);
    expect(await isKnownBrowser(store, ann, chosen)).toBe(false);
  }
});

test("An account remembers the twenty browsers it saw last", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const bobs = await rememberBrowser(store, bob, null, cryptoRandom, NOON);
  const cookies: string[] = [];
  for (let at = 0; at < 20; at++)
    cookies.push(await rememberBrowser(store, ann, null, cryptoRandom, NOON + at));
  await rememberBrowser(store, ann, cookies[0] ?? "", cryptoRandom, NOON + 20);
  await rememberBrowser(store, ann, null, cryptoRandom, NOON + 21);
  const known = cookies.map((cookie) => isKnownBrowser(store, ann, cookie));
  expect((await Promise.all(known)).map((is, at) => (is ? null : at))).toEqual(
    cookies.map((_cookie, at) => (at === 1 ? 1 : null)),
  );
  expect(await isKnownBrowser(store, bob, bobs)).toBe(true);
});
