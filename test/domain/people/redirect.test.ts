import { expect, test } from "bun:test";
import fc from "fast-check";
import { extensionIdOf, isRedirect, redirectWith } from "../../../src/domain/people/identity.ts";
import { cases } from "../../support/random.ts";
import {
  CHROME,
  CHROME_ID,
  FIREFOX,
  FIREFOX_ID,
  LISTED,
  LOOK_ALIKES,
  LOOPBACK,
} from "../../support/redirects.ts";

test.each([
  [CHROME, CHROME_ID],
  [`${CHROME}signed-in`, CHROME_ID],
  [`${CHROME}a/b_c.d~e-f`, CHROME_ID],
  [`${CHROME}a/`, CHROME_ID],
  [`${CHROME}${"p".repeat(200)}`, CHROME_ID],
  [FIREFOX, FIREFOX_ID],
  [`${FIREFOX}signed-in`, FIREFOX_ID],
  [LOOPBACK, FIREFOX_ID],
])("%s leads to an extension", (uri, id) => {
  expect(extensionIdOf(uri)).toBe(id);
  expect(isRedirect(uri, [])).toBe(true);
});

test.each(LOOK_ALIKES)("Nobody is sent back to %s", (_name, uri) => {
  expect([uri, isRedirect(uri, [LISTED])]).toEqual([uri, false]);
});

test("A listed address is compared character by character, whatever it is", () => {
  const anywhere = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string());
  const property = fc.property(anywhere, fc.nat(), fc.string(), (listed, at, put) => {
    expect(isRedirect(listed, [listed])).toBe(true);
    const place = at % (listed.length + 1);
    const changed = listed.slice(0, place) + put + listed.slice(place + 1);
    expect(isRedirect(changed, [listed])).toBe(changed === listed);
  });
  fc.assert(property, cases(2_000));
});

/** The same rule, applied to the parts of a parsed address. */
const isExtensions = (uri: string): boolean => {
  const url = URL.parse(uri);
  if (!url || url.href !== uri || /[?#@%]/.test(uri) || url.port !== "") return false;
  if (url.origin === "http://127.0.0.1") return /^\/mozoauth2\/[0-9a-f]{40}$/.test(url.pathname);
  const [id = "", ...domain] = url.hostname.split(".");
  const known = { "chromiumapp.org": /^[a-p]{32}$/, "extensions.allizom.org": /^[0-9a-f]{40}$/ };
  return (
    url.protocol === "https:" &&
    (Object.entries(known)
      .find(([name]) => name === domain.join("."))?.[1]
      .test(id) ??
      false)
  );
};

test("An address accepted as an extension's is valid in each of its parts", () => {
  const letters = [...":/.@#?%\\-_~ \n\0", "evil.example", "//", "..", ":443", "A", "q", "а"];
  const change = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...letters));
  const property = fc.property(
    fc.constantFrom(CHROME, `${CHROME}a/b`, FIREFOX, LOOPBACK),
    fc.array(change, { maxLength: 3 }),
    (start, changes) => {
      let uri = start;
      for (const [at, cut, put] of changes) {
        const place = at % (uri.length + 1);
        uri = uri.slice(0, place) + put + uri.slice(place + cut);
      }
      // The rule may allow fewer characters in a path than an address can hold, but never more.
      if (isRedirect(uri, [])) expect([uri, isExtensions(uri)]).toEqual([uri, true]);
      if (changes.length === 0) expect(isRedirect(uri, [])).toBe(true);
    },
  );
  fc.assert(property, cases(20_000));
});

test("An answer is added to what the query already holds", () => {
  expect(redirectWith(CHROME, { code: "a b&c", state: "=" })).toBe(
    `${CHROME}?code=a+b%26c&state=%3D`,
  );
  expect(redirectWith(LISTED, { code: "x" })).toBe(`${LISTED}&code=x`);
});
