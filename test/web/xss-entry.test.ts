import { describe, expect, test } from "bun:test";
import { addAccount } from "../../src/db/people/accounts.ts";
import { createBrowserSession } from "../../src/db/people/browser-sessions.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { sharedServer } from "../support/replies.ts";
import { unownedServer } from "../support/web/joining.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer();
await someoneSignedIn(server);

/** Texts that would run, or change the page, if they were read as markup. */
const HOSTILE = [
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '" onfocus=alert(1) autofocus x="',
  "</title><script>alert(1)</script>",
  "</p><img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "&quot;><script>alert(1)</script>",
  "&#34;&#62;<script>",
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}",
  "\u2028<script>\u0000alert(1)</script>",
  "<!--",
  "]]><script>alert(1)</script>",
  "＜script＞alert(1)",
];

/** Expects a page to have the same tags as with plain words in place of the hostile ones. */
const expectSame = (hostile: string, plain: string): void => {
  const [tags = [], expected = []] = [hostile, plain].map((html) => html.match(/<[!/]?\w+/g) ?? []);
  expect(expected.length).toBeGreaterThan(20);
  expect(tags).toEqual(expected);
  expect(hostile.match(/<script(?! src="\/assets\/)/g)).toBeNull();
};

const FORMS: Readonly<Record<string, readonly string[]>> = {
  "/sign-in": ["email", "next"],
  "/setup": ["code", "email"],
  "/invitation": ["code", "email"],
};

describe("what is typed is shown as text", () => {
  test.each(Object.entries(FORMS))("on %s", async (path, fields) => {
    const ann = visitor(await unownedServer());
    for (const field of fields) {
      const plain = await ann.post(path, { [field]: "plain words" });
      for (const text of HOSTILE) {
        const seen = await ann.post(path, { [field]: text });
        expect([field, text, seen.status]).toEqual([field, text, 422]);
        expectSame(seen.html, plain.html);
        if (field === "email" || field === "code") expect(shownIn(seen.html, field)).toBe(text);
      }
    }
  });

  test("as the e-mail of an account", async () => {
    for (const text of [
      '"><script>alert(1)</script>@b.example',
      "<img/src=x/onerror=alert(1)>@b.example",
    ]) {
      const options = { plan: "pro", passwordHash: null } as const;
      const { id } = await addAccount(server.store, text, options, server.clock.wall());
      const details = { method: "password", client: text, address: "127.0.0.1" } as const;
      const cookie = await createBrowserSession(
        server.store,
        id,
        details,
        cryptoRandom,
        server.clock.wall(),
      );
      const eve = visitor(server);
      eve.cookies.set(`docket-${new URL(server.url).port}`, cookie);
      for (const path of ["/account", "/account/confirm", "/account/security"]) {
        const { status, html, text: shown } = await eve.get(path);
        expect([status, html.match(/<script(?! src="\/assets\/)|<img/g)]).toEqual([200, null]);
        expect(shown).toContain(text);
      }
    }
  });

  test("in an address", async () => {
    const ann = visitor(server);
    const plain = await ann.get("/sign-in?next=plain");
    const unknown = await ann.get("/account/unknown");
    for (const text of HOSTILE) {
      const next = encodeURIComponent(`/account?${text}`);
      const { html } = await ann.get(`/sign-in?next=${next}&email=${next}&code=${next}`);
      expectSame(html, plain.html);
      const nothing = await ann.get(`/account${encodeURI(`/${text}`)}`);
      if (nothing.status === 404) expect(nothing.html).toBe(unknown.html);
    }
  });

  test("in a request's id or a browser's name", async () => {
    const headers = {
      "x-request-id": '"><script>alert(1)</script>',
      "user-agent": '"><script>alert(1)</script>',
      origin: "https://<script>.example",
    };
    const seen = await visitor(server).post("/sign-in", {}, headers);
    expect([seen.status, seen.html.includes("<script>")]).toEqual([403, false]);
    expect(seen.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

/** The value of a field, as a browser would read it from the page. */
const shownIn = (html: string, name: string): string | undefined => {
  const value = new RegExp(`<input id="${name}"[^>]*? value="([^"]*)"`, "s").exec(html)?.[1];
  return value
    ?.replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
};
