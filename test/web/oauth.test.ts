import { listRedirects } from "../../src/db/people/redirects.ts";
import { expect, test } from "bun:test";
import { listSessions } from "../../src/db/people/sessions.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { answerIn, codeFor, extension } from "../support/extension.ts";
import { CHROME, CHROME_ID, FIREFOX, LISTED, LOOPBACK } from "../support/redirects.ts";
import { change, sharedServer } from "../support/replies.ts";
import { startServer } from "../support/server.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer({ settings: { extensionRedirects: [LISTED] } });
const SESSION: string = expect.stringMatching(/^docket_sess_[0-9A-Za-z]{38}$/) as never;

test("an extension signs in: it is allowed once, gets a session that syncs, and is listed", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server, LISTED);
  const code = await codeFor(asker, ann, { device_name: "Ann's laptop" });
  const { status, json } = await asker.exchange(code);
  expect([status, json]).toEqual([
    200,
    { access_token: SESSION, token_type: "Bearer", expires_in: 2_592_000, scope: "read write" },
  ]);
  const token = json.access_token as string;
  const body = [change("sync_tasks", "t1", { title: "t" })];
  expect((await server.call("POST", "/sync", { token, body })).json.applied).toBe(1);
  const me = await server.call("GET", "/me", { token });
  expect(me.json).toMatchObject({ email: ann.account.email, credential: "session" });
  expect(await listSessions(server.store, ann.account.id)).toMatchObject([
    { name: "Ann's laptop", createdAt: server.clock.wall(), applied: 1 },
  ]);
  expect((await ann.get("/account/devices")).text).toContain("Ann's laptop");
});

test("a code that was not used yet dies when its browser signs out", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server, LISTED);
  const code = await codeFor(asker, ann, { device_name: "Ann's laptop" });
  await ann.post("/sign-out", {});
  const { status, json } = await asker.exchange(code);
  expect([status, json.access_token]).toEqual([400, undefined]);
});

test("the page says who asks, for what and for whom, and suggests a name", async () => {
  const ann = await someoneSignedIn(server);
  const { address, request } = extension(server);
  const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36";
  const seen = await ann.get(address(), { "user-agent": agent });
  expect(seen.status).toBe(200);
  expect(seen.text).toContain(
    `The extension with the ID ${CHROME_ID} wants to sign in to the account of ${ann.account.email} . Your browser then returns to it at ${CHROME}`,
  );
  expect(seen.text).toContain("read, change and delete all tasks, tabs, notes and folders");
  expect(seen.html).toContain(
    'name="device_name" required aria-describedby="device_name-hint" value="Chrome on Linux"',
  );
  for (const [name, value] of Object.entries(request))
    expect(seen.html).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
  expect(seen.html).toContain('<button class="main" name="decision" value="allow">Allow</button>');
  expect(seen.html).toContain('<button class="quiet" name="decision" value="deny">Cancel</button>');
});

test.each([
  "https://dcgnibpkcoiddldikgfmmjoahjpkjphp.chromiumapp.org/",
  "https://2cc89edaf7f96cb64947abfd1c1723f2c2e2371d.extensions.allizom.org/",
])("the page calls Docket's own extension by its name (%s)", async (redirect) => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.get(extension(server, redirect).address());
  expect(seen.text).toContain(
    `The Docket extension in this browser wants to sign in to the account of ${ann.account.email} .`,
  );
});

test("the page suggests the name that the extension sends, and shows the host of a listed extension", async () => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.get(
    extension(server, LISTED).address({ device_name: 'Ann\'s "big" one' }),
  );
  expect(seen.html).toContain('value="Ann\'s &quot;big&quot; one"');
  expect(seen.text).toContain("The extension at sign-in.example wants to sign in to the account");
});

test.each([
  [CHROME, `https://${CHROME_ID}.chromiumapp.org`],
  [LOOPBACK, "http://127.0.0.1"],
  [LISTED, "https://sign-in.example"],
])("the form of the page for %s may redirect there, and nowhere else", async (redirect, origin) => {
  const ann = await someoneSignedIn(server);
  const { address, decide } = extension(server, redirect);
  for (const seen of [await ann.get(address()), await decide(ann, { decision: "" })])
    expect(seen.headers.get("content-security-policy")).toContain(`form-action 'self' ${origin}`);
});

test.each([CHROME, FIREFOX, LOOPBACK])(
  "%s needs the password the first time, however recent the sign-in, and not again",
  async (redirect) => {
    const ann = await someoneSignedIn(server);
    const asker = extension(server, redirect);
    const first = await ann.get(asker.address());
    expect(first.text).toContain("You have not allowed this extension before.");
    expect(first.html).toContain('type="password"');
    const without = await asker.decide(ann);
    expect([without.status, without.location]).toEqual([200, null]);
    expect(without.text).toContain("Enter your password to continue.");
    const wrong = await asker.decide(ann, { password: "wrong password" });
    expect([wrong.status, wrong.location]).toEqual([200, null]);
    expect(wrong.text).toContain("Wrong password.");
    expect(await listRedirects(server.store, ann.account.id)).toEqual([]);
    expect((await asker.decide(ann, { password: PASSWORD })).status).toBe(303);
    expect(await listRedirects(server.store, ann.account.id)).toEqual([
      { uri: redirect, createdAt: server.clock.wall() },
    ]);
    const again = await ann.get(extension(server, redirect).address());
    expect(again.html).not.toContain('type="password"');
    expect((await asker.exchange(await codeFor(asker, ann))).status).toBe(200);
  },
);

test("what goes wrong on the way to an extension is said on pages of status 200, which Chrome leaves open", async () => {
  const ann = visitor(server);
  const toExtension = extension(server).address();
  const said = async (next: string, password: string): Promise<readonly [number, boolean]> => {
    const form = { email: "nobody@example.org", password, next };
    const { status, text } = await ann.post("/sign-in", form);
    return [status, text.includes("Wrong e-mail address or password.")];
  };
  expect(await said("/tasks", "wrong password")).toEqual([422, true]);
  expect(await said(toExtension, "wrong password")).toEqual([200, true]);
  for (let tries = 0; tries < 20; tries += 1) await said(toExtension, "wrong password");
  expect(await said("/tasks", "wrong password")).toEqual([429, false]);
  expect(await said(toExtension, "wrong password")).toEqual([200, false]);
});

/** A browser in which ann signs in because an extension asks for it. */
const signedInFor = async (asker: ReturnType<typeof extension>) => {
  const { account } = await someoneSignedIn(server);
  const browser = visitor(server);
  const led = await browser.get(asker.address());
  const page = await browser.get(led.location ?? "");
  expect(page.text).toContain("A browser extension asks for access to your account.");
  const form = { email: account.email, password: PASSWORD, next: asker.address() };
  expect((await browser.post("/sign-in", form)).location).toBe(asker.address());
  return browser;
};

test("someone who signs in because an extension asks for it types the password once", async () => {
  const asker = extension(server);
  const browser = await signedInFor(asker);
  const seen = await browser.get(asker.address());
  expect(seen.text).toContain("You have not allowed this extension before.");
  expect(seen.html).not.toContain('type="password"');
  expect((await asker.exchange(await codeFor(asker, browser))).status).toBe(200);
});

test("Docket's own extension needs no second password within ten minutes, and another one does", async () => {
  const ann = await someoneSignedIn(server);
  const own = extension(server, "https://dcgnibpkcoiddldikgfmmjoahjpkjphp.chromiumapp.org/");
  server.clock.advance(10 * MINUTE + 1);
  expect((await ann.get(own.address())).html).toContain('type="password"');
  expect((await own.decide(ann)).status).toBe(200);
  await ann.post("/account/confirm", { password: PASSWORD });
  expect((await ann.get(own.address())).html).not.toContain('type="password"');
  expect((await extension(server, CHROME).decide(ann)).status).toBe(200);
  expect((await own.decide(ann)).status).toBe(303);
});

test("that sign-in counts for no other request, and for ten minutes", async () => {
  const asker = extension(server);
  const browser = await signedInFor(asker);
  // The form again, in a page that Chrome leaves open, and no redirect with a code.
  const others = [extension(server), extension(server, FIREFOX)];
  for (const other of others) expect((await other.decide(browser)).status).toBe(200);
  expect((await asker.decide(browser, { redirect_uri: FIREFOX })).status).toBe(200);
  // Being signed in already is no sign-in for it, and neither is another browser's mark.
  const marked = [...browser.cookies].find(([name]) => name.startsWith("docket-asked")) ?? ["", ""];
  const stranger = await someoneSignedIn(server, "bob");
  const through = await stranger.get(`/sign-in?next=${encodeURIComponent(asker.address())}`);
  expect(through.location).toBe(asker.address());
  stranger.cookies.set(marked[0], marked[1]);
  expect((await asker.decide(stranger)).status).toBe(200);
  server.clock.advance(10 * MINUTE + 1);
  expect((await asker.decide(browser)).status).toBe(200);
});

test("an extension allowed by one account or at one address is not allowed by or at another", async () => {
  const ann = await someoneSignedIn(server);
  const bob = await someoneSignedIn(server, "bob");
  await codeFor(extension(server), ann, { password: PASSWORD });
  for (const [person, redirect] of [
    [bob, CHROME],
    [ann, `${CHROME}other`],
    [ann, FIREFOX],
  ] as const) {
    const asker = extension(server, redirect);
    expect((await person.get(asker.address())).html).toContain('type="password"');
    expect((await asker.decide(person)).status).toBe(200);
  }
});

test("a wrong name or no decision shows the page again, with what was typed", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server, LISTED);
  const long = "x".repeat(101);
  const seen = await asker.decide(ann, { device_name: long });
  expect([seen.status, seen.text]).toEqual([
    200,
    expect.stringContaining("Enter a name of 1 to 100 printable characters."),
  ]);
  expect(seen.html).toContain(`value="${long}"`);
  expect((await asker.decide(ann, { device_name: "  " })).status).toBe(200);
  const undecided = await asker.decide(ann, { decision: "maybe" });
  expect([undecided.status, undecided.text]).toEqual([
    200,
    expect.stringContaining("Choose Allow or Cancel."),
  ]);
});

test("cancelling needs no password, and the extension is told", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server);
  const seen = await asker.decide(ann, { decision: "deny", device_name: "" });
  expect([seen.status, seen.location?.split("?")[0], answerIn(seen)]).toEqual([
    303,
    CHROME,
    {
      error: "access_denied",
      error_description: "The person who is signed in did not allow it.",
      state: asker.state,
      iss: server.url,
    },
  ]);
});

test("someone who is not signed in signs in first, and returns to the same request", async () => {
  const ann = await someoneSignedIn(server);
  const browser = visitor(server);
  const state = "%&+=?#/'\"\\ ~".repeat(39);
  const asker = extension(server, LISTED);
  const asked = asker.address({ state, device_name: "Ann's & Bob's", junk: "j".repeat(9_000) });
  const led = await browser.get(asked);
  expect([led.status, led.location?.startsWith("/sign-in?next=%2Foauth%2Fauthorize%3F")]).toEqual([
    303,
    true,
  ]);
  const page = await browser.get(led.location ?? "");
  const next = /name="next" value="([^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const form = { email: ann.account.email, password: PASSWORD, next };
  const back = await browser.post("/sign-in", form);
  const again = new URL(back.location ?? "", server.url);
  expect([back.status, again.pathname, Object.fromEntries(again.searchParams)]).toEqual([
    303,
    "/oauth/authorize",
    { ...asker.request, state, device_name: "Ann's & Bob's" },
  ]);
  expect((await browser.get(back.location ?? "")).status).toBe(200);
  const done = await asker.decide(browser, { state });
  expect(answerIn(done)).toMatchObject({ state, iss: server.url });
});

test("someone who was signed out in the meantime signs in and decides again", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server, LISTED);
  await ann.post("/sign-out");
  const seen = await asker.decide(ann);
  expect([seen.status, seen.location]).toEqual([
    303,
    `/sign-in?next=${encodeURIComponent(asker.address({ device_name: "laptop" }))}`,
  ]);
});

test("with prompt=none nobody is let in, and the extension is told what is needed", async () => {
  const ann = await someoneSignedIn(server);
  const silent = { prompt: "none" };
  const told = async (browser: typeof ann | ReturnType<typeof visitor>, redirect: string) => {
    const asker = extension(server, redirect);
    const seen = await browser.get(asker.address(silent));
    const { error, state, iss, code } = answerIn(seen);
    expect([seen.status, state, iss, code]).toEqual([303, asker.state, server.url, undefined]);
    return error;
  };
  expect(await told(visitor(server), LISTED)).toBe("login_required");
  expect(await told(visitor(server), CHROME)).toBe("login_required");
  expect(await told(ann, LISTED)).toBe("consent_required");
  expect(await told(ann, CHROME)).toBe("interaction_required");
  await codeFor(extension(server), ann, { password: PASSWORD });
  expect(await told(ann, CHROME)).toBe("consent_required");
});

test("the issuer is the public address, if there is one", async () => {
  const publicUrl = new URL("https://docket.example/");
  const other = await startServer({ settings: { publicUrl, extensionRedirects: [LISTED] } });
  const ann = await someoneSignedIn(other);
  expect(answerIn(await extension(other, LISTED).decide(ann))["iss"]).toBe(
    "https://docket.example",
  );
  await other.stop();
});
