import { describe, expect, test } from "bun:test";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { networks } from "../../src/domain/base/usage.ts";
import { endpointName } from "../../src/server/call.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { expectRefusal, SAYS, sharedServer } from "../support/replies.ts";
import { annWithApp, appFrom, ticketIn } from "../support/web/authenticator-app.ts";
import { OWN_PLACES, storedIn, typeOf } from "../support/web/table.ts";
import {
  ownerSignedIn,
  PASSWORD,
  type Seen,
  type Visitor,
  visitor,
} from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

// Behind a proxy at 127.0.0.1, so that a test can come from any address that it names.
const server = await sharedServer({ settings: { isProxy: networks(["127.0.0.1"]) } });

let addresses = 0;
const elsewhere = () => ({
  origin: server.url,
  "x-forwarded-for": `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`,
});

/** A browser that gave the right password, and its ticket for the code. */
const halfway = async (email: string, browser: Visitor = visitor(server)) => {
  const seen = await browser.post("/sign-in", { email, password: PASSWORD }, elsewhere());
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining("Enter your code")]);
  const ticket = ticketIn(seen.html);
  const tries = (code: string): Promise<Seen> =>
    browser.post("/sign-in/code", { ticket, code }, elsewhere());
  return { browser, ticket, tries };
};

const USED = "This code has already been used. Wait until your app shows the next one.";

/** Posts to a page what its form might hold. */
const post = (browser: Visitor, place: (typeof OWN_PLACES)[number][1]) =>
  typeOf(place) === "application/json"
    ? browser.send(place.address, {})
    : browser.post(place.address, { confirmation: "x", password: PASSWORD });

describe("a browser that gave only the password", () => {
  test("opens no page and does nothing on any, whichever of its secrets it sends as its cookie", async () => {
    const { ann } = await annWithApp(server);
    const { browser, ticket } = await halfway(ann.account.email);
    const port = new URL(server.url).port;
    const pending = browser.cookies.get(`docket-pending-${port}`) ?? "";
    expect([pending, ticket]).toEqual([
      expect.stringMatching(/^docket_page_/),
      expect.stringMatching(/^docket_page_/),
    ]);
    const before = storedIn(server);
    for (const cookie of [null, pending, ticket]) {
      if (cookie !== null) browser.cookies.set(`docket-${port}`, cookie);
      for (const [name, place] of OWN_PLACES) {
        const { address, method } = place;
        const asks = { GET: () => browser.get(address), POST: () => post(browser, place) };
        const { status, location, html } = await asks[method as "GET" | "POST"]();
        expect([name, status, location?.split("?")[0], html]).toEqual([name, 303, "/sign-in", ""]);
      }
    }
    expect(storedIn(server)).toEqual(before);
  });

  test("calls no route of the API and no tool with them", async () => {
    const { ann } = await annWithApp(server);
    const { browser, ticket } = await halfway(ann.account.email);
    for (const token of [ticket, ...browser.cookies.values()]) {
      const paths = ROUTES.filter(({ access }) => access.callers !== "anyone").map(
        ({ method, path }) => [method, `!${endpointName(path).replace("{id}", "x")}`] as const,
      );
      for (const [method, path] of [...paths, ["POST", "!/mcp"] as const])
        expectRefusal(await server.call(method, path, { token }), 401, SAYS.badCredential);
    }
  });

  test("gets no further with another account's codes, which stay good", async () => {
    const [ann, bob] = [await annWithApp(server), await annWithApp(server)];
    const { tries } = await halfway(ann.ann.account.email);
    const codes = [bob.app.next(), bob.codes[0] ?? ""];
    for (const code of codes) expect((await tries(code)).text).toContain("Wrong code.");
    for (const code of codes)
      expect((await (await halfway(bob.ann.account.email)).tries(code)).status).toBe(303);
  });

  test("does not get in by asking the account area's forms instead of the one for the code", async () => {
    const { ann, app } = await annWithApp(server);
    const { browser } = await halfway(ann.account.email);
    const form = { password: PASSWORD, code: app.next(), next: "/account" };
    expect((await browser.post("/account/confirm", form)).location).toBe("/sign-in");
    const straight = { email: ann.account.email, ...form };
    expect((await visitor(server).post("/sign-in", straight)).text).toContain("Enter your code");
  });
});

describe("a code", () => {
  test.each([
    [-2, "Wrong code."],
    [-1, null],
    [0, null],
    [1, null],
    [2, "Wrong code."],
    [1_000_000, "Wrong code."],
  ])("of %d steps from now is judged: %p", async (off, problem) => {
    const { ann, app } = await annWithApp(server);
    server.clock.advance(5 * MINUTE);
    const { tries } = await halfway(ann.account.email);
    const { status, text } = await tries(app.at(off));
    if (problem === null) expect(status).toBe(303);
    else expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
  });

  test("that was used shuts out itself and all before it, for as long as they would count", async () => {
    const { ann, app } = await annWithApp(server);
    server.clock.advance(5 * MINUTE);
    const [before, now, ahead] = [app.at(-1), app.at(0), app.at(1)];
    expect((await (await halfway(ann.account.email)).tries(ahead)).status).toBe(303);
    for (const [seconds, codes] of [
      [0, [before, now, ahead]],
      [30, [now, ahead]],
      [30, [ahead]],
    ] as const) {
      server.clock.advance(seconds * SECOND);
      const { tries } = await halfway(ann.account.email);
      for (const code of codes) expect((await tries(code)).text).toContain(USED);
    }
    server.clock.advance(MINUTE);
    expect((await (await halfway(ann.account.email)).tries(app.at(0))).status).toBe(303);
  });

  test.each([
    ["is empty", () => " "],
    ["lacks a digit", (code: string) => code.slice(1)],
    ["has one more", (code: string) => `${code}0`],
    ["is a number with a sign", (code: string) => `+${code.slice(1)}`],
    ["comes with a second one", (code: string) => `${code},${code}`],
    ["is long", (code: string) => code.repeat(10_000)],
    ["has characters that nobody sees", (code: string) => `${code}\u200B`],
  ])("that %s is refused", async (_how, typed) => {
    const { ann, app } = await annWithApp(server);
    const { tries, browser } = await halfway(ann.account.email);
    expect((await tries(typed(app.next()))).status).toBeOneOf([413, 422]);
    expect((await browser.get("/account")).status).toBe(303);
  });

  test("stays out of the log and of every page, and so do the secret and the recovery codes", async () => {
    const { ann, app, codes } = await annWithApp(server);
    const code = app.next();
    const { browser, tries } = await halfway(ann.account.email);
    await tries(codes[0] ?? "");
    await (await halfway(ann.account.email)).tries(code);
    const { html } = await browser.get("/account/security");
    const log = server.logged.slice(-50).join("\n");
    for (const secret of [code, ...codes]) {
      expect(html).not.toContain(secret);
      // Six digits may be part of another number.
      expect(log).not.toMatch(new RegExp(`(?<![0-9.])${secret}(?![0-9])`));
    }
  });
});

describe("guessing", () => {
  test("a hundred codes at once, from a hundred addresses, gets five judged", async () => {
    const { ann, app } = await annWithApp(server);
    server.clock.advance(5 * MINUTE);
    const right = app.at(0);
    const tickets: Awaited<ReturnType<typeof halfway>>[] = [];
    for (let made = 0; made < 20; made++) tickets.push(await halfway(ann.account.email));
    const seen = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        tickets[at % 20]?.tries(at === 60 ? right : String(at).padStart(6, "9")),
      ),
    );
    const judged = seen.filter((one) => one?.text.includes("Wrong code."));
    const waiting = seen.filter((one) => one?.text.includes("Too many attempts to sign in"));
    expect([judged.length, waiting.length]).toEqual([5, 95]);
    // The right one was not judged, so it was not used up either.
    server.clock.advance(15 * SECOND);
    expect((await tickets[0]?.tries(right))?.status).toBe(303);
  });

  test("recovery codes is counted with the others, over every form that asks for one", async () => {
    const { ann } = await annWithApp(server, ownerSignedIn);
    const port = new URL(server.url).port;
    // Whoever copied the cookie, and knows the password, comes without the cookie of a known browser.
    ann.cookies.delete(`docket-known-${port}`);
    server.clock.advance(11 * MINUTE);
    const code = "0000-0000-0000-0000-0000-0000";
    const form = { password: PASSWORD, current: PASSWORD, code, email: "thief@example.org" };
    const asked = [
      "/account/confirm",
      "/account/authenticator/remove",
      "/account/authenticator/codes",
      "/account/email",
    ];
    for (const path of asked) expect((await ann.post(path, form)).text).toContain("Wrong code.");
    expect((await (await halfway(ann.account.email)).tries(code)).text).toContain("Wrong code.");
    const late = await Promise.all(asked.map((path) => ann.post(path, form)));
    // The owner's account cannot be deleted, so another owner comes first.
    await ownerSignedIn(server, "bob");
    late.push(await ann.post("/account/delete", { ...form, confirmation: ann.account.email }));
    for (const { status, text } of late)
      expect([status, text]).toEqual([
        422,
        expect.stringContaining("Too many attempts to sign in have failed. Try again in 15 s."),
      ]);
  });

  test("waits twice as long each time, up to 15 minutes", async () => {
    const { ann } = await annWithApp(server);
    const { email } = ann.account;
    for (let tries = 0; tries < 5; tries++) await (await halfway(email)).tries("000000");
    for (const seconds of [15, 30, 60, 120, 240, 480, 900]) {
      const { text } = await (await halfway(email)).tries("000000");
      expect(text).toContain(`Try again in ${seconds} s.`);
      server.clock.advance(seconds * SECOND);
      expect((await (await halfway(email)).tries("000000")).text).toContain("Wrong code.");
    }
  });
});

describe("at once", () => {
  test("one recovery code on several forms proves something on one of them", async () => {
    const { ann, codes } = await annWithApp(server, ownerSignedIn);
    server.clock.advance(11 * MINUTE);
    const code = codes[0] ?? "";
    const { tries } = await halfway(ann.account.email);
    const seen = await Promise.all([
      tries(code),
      ann.post("/account/confirm", { password: PASSWORD, code }),
      ann.post("/account/email", { password: PASSWORD, code, email: `r.${ann.account.email}` }),
    ]);
    expect(seen.map(({ status }) => status).toSorted()).toEqual([303, 422, 422]);
  });

  test("one code of the app signs in two browsers never, and turns nothing off beside", async () => {
    const { ann, app } = await annWithApp(server);
    server.clock.advance(11 * MINUTE);
    const code = app.next();
    const { tries } = await halfway(ann.account.email);
    const seen = await Promise.all([
      tries(code),
      ann.post("/account/authenticator/remove", { password: PASSWORD, code }),
    ]);
    expect(seen.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  });

  test("two tabs that turn it on leave one app, whose code alone counts", async () => {
    const { ann } = await annWithApp(server);
    await ann.post("/account/authenticator/remove");
    const pages = [
      await ann.post("/account/authenticator/new"),
      await ann.post("/account/authenticator/new"),
    ];
    const apps = pages.map(({ html }) => appFrom(server, html));
    const seen = await Promise.all(
      pages.map(({ html }, at) =>
        ann.post("/account/authenticator", { ticket: ticketIn(html), code: apps[at]?.at(0) ?? "" }),
      ),
    );
    const on = seen.findIndex(({ status }) => status === 200);
    expect(seen.map(({ status }) => status).toSorted()).toEqual([200, 303]);
    server.clock.advance(MINUTE);
    const { tries } = await halfway(ann.account.email);
    expect((await tries(apps[1 - on]?.at(0) ?? "")).status).toBe(422);
    expect((await tries(apps[on]?.at(0) ?? "")).status).toBe(303);
  });
});

test("Turning it off needs both proofs, however they are left out", async () => {
  const { ann, app, codes } = await annWithApp(server);
  server.clock.advance(11 * MINUTE);
  const used = app.next();
  await (await halfway(ann.account.email)).tries(used);
  const proofs: readonly Readonly<Record<string, string>>[] = [
    {},
    { password: PASSWORD },
    { code: codes[0] ?? "" },
    { password: "wrong", code: codes[0] ?? "" },
    { password: PASSWORD, code: used },
    { password: PASSWORD, code: " " },
  ];
  for (const proof of proofs)
    expect((await ann.post("/account/authenticator/remove", proof)).text).toContain("is still on");
  // A wrong password uses no code up.
  expect((await (await halfway(ann.account.email)).tries(codes[0] ?? "")).status).toBe(303);
});
