import { describe, expect, test } from "bun:test";
import { disableAccount } from "../../src/db/people/accounts.ts";
import { endBrowserSession } from "../../src/db/people/revocation.ts";
import { findBrowserSession, listBrowserSessions } from "../../src/db/people/browser-sessions.ts";
import { endpointName } from "../../src/server/call.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { NOON } from "../support/server.ts";
import { expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { OWN_PLACES, PLACES, storedIn, typeOf } from "../support/web/table.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();
const COOKIE = `docket-${new URL(server.url).port}`;

type Credentials = Readonly<Record<string, string>>;

/** A browser in which someone signed in at noon: the value of its cookie, and its person. */
const browser = async () => {
  const ann = await someoneSignedIn(server);
  return { ...ann, cookie: ann.cookies.get(COOKIE) ?? "" };
};
const cookie = (value: string): Credentials => ({ cookie: `${COOKIE}=${value}` });
const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` });

const ended = async (): Promise<Credentials> => {
  const ann = await browser();
  const browserSession = (await findBrowserSession(server.store, ann.cookie, NOON))?.browserSession;
  await endBrowserSession(server.store, ann.account.id, browserSession?.id ?? "", NOON);
  return cookie(ann.cookie);
};

/** Someone whose browser was used every ten days until noon, 90 days after signing in. */
const usedFor90Days = async (): Promise<Credentials> => {
  server.clock.set(NOON - 90 * DAY);
  const ann = await browser();
  for (let day = 80; day > 0; day -= 10) {
    const now = NOON - day * DAY;
    server.clock.set(now);
    expect((await ann.get("/account")).status).toBe(200);
    const lastUse = async () =>
      (await listBrowserSessions(server.store, ann.account.id, now))[0]?.lastUsedAt;
    while ((await lastUse()) !== now) await Bun.sleep(1);
  }
  server.clock.set(NOON);
  return cookie(ann.cookie);
};

const unusedFor14Days = async (): Promise<Credentials> => {
  server.clock.set(NOON - 14 * DAY);
  const ann = await browser();
  server.clock.set(NOON);
  return cookie(ann.cookie);
};

const disabled = async (): Promise<Credentials> => {
  const ann = await browser();
  await disableAccount(server.store, ann.account.email, NOON);
  return cookie(ann.cookie);
};

/** People whom the account area does not know, and what they send. */
const NOBODIES: Readonly<Record<string, () => Promise<Credentials>>> = {
  "a stranger": async () => ({}),
  "a browser session that was ended": ended,
  "a browser session unused for 14 days": unusedFor14Days,
  "a browser session of 90 days": usedFor90Days,
  "a visit of a disabled account": disabled,
  "an API key as bearer": async () => bearer(await (await newcomer(server)).key()),
  "an API key as cookie": async () => cookie(await (await newcomer(server)).key()),
  "a device's session as bearer": async () => bearer((await newcomer(server)).session),
  "a device's session as cookie": async () => cookie((await newcomer(server)).session),
  "a visit's secret as bearer": async () => bearer((await browser()).cookie),
  "a visit's cookie by another port's name": async () => ({
    cookie: `docket-1=${(await browser()).cookie}; docket=${(await browser()).cookie}`,
  }),
  "a browser that is known, but not signed in": async () => {
    const ann = await browser();
    await ann.post("/sign-in", { email: ann.account.email, password: "correct horse battery" });
    return cookie(ann.cookies.get(`docket-known-${new URL(server.url).port}`) ?? "");
  },
};

const askFor = (place: (typeof PLACES)[number], path: string, credentials: Credentials) =>
  fetch(server.url + path, {
    method: place.method,
    redirect: "manual",
    headers: {
      ...credentials,
      ...(place.method === "POST" ? { origin: server.url, "content-type": typeOf(place) } : {}),
    },
    ...(place.method === "POST" ? { body: place.body === "json" ? "{}" : "a=b" } : {}),
  });

describe("pages of the account area", () => {
  test.each(Object.entries(NOBODIES))("send %s to sign in, and do nothing", async (_name, make) => {
    const credentials = await make();
    const before = storedIn(server);
    for (const [name, place] of OWN_PLACES) {
      const response = await askFor(place, `${place.address}?a=b&next=/x`, credentials);
      const next = `?next=${encodeURIComponent(`${place.address}?a=b&next=/x`)}`;
      expect([
        name,
        response.status,
        response.headers.get("location"),
        await response.text(),
      ]).toEqual([name, 303, `/sign-in${place.method === "GET" ? next : ""}`, ""]);
    }
    expect(storedIn(server)).toEqual(before);
  });

  test("open for someone who is signed in", async () => {
    for (const [name, place] of OWN_PLACES) {
      const ann = await browser();
      const response = await askFor(place, place.address, cookie(ann.cookie));
      // To its end: a file is read piece by piece.
      await response.bytes();
      const { status, headers } = response;
      expect(status, name).toBeOneOf([200, 303, 400, 403, 404, 422]);
      expect([name, headers.get("location")?.startsWith("/sign-in") ?? false]).toEqual([
        name,
        false,
      ]);
    }
  });
});

test("no other method does anything at a page", async () => {
  const ann = await browser();
  const before = storedIn(server);
  for (const [path, places] of Map.groupBy(PLACES, ({ address }) => address)) {
    const methods = places.map(({ method }) => method as string);
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    for (const method of ["GET", "POST", "PATCH", "DELETE", "PUT"]) {
      if (methods.includes(method)) continue;
      const headers = { ...cookie(ann.cookie), origin: server.url };
      const reply = await server.call(method, `!${path}`, { headers });
      expect([path, method, reply.headers.get("allow")]).toEqual([path, method, allow]);
      expectRefusal(
        reply,
        405,
        method === "DELETE" || method === "PUT"
          ? SAYS.never(method)
          : `${method} is not allowed on this path. Use one of: ${allow}.`,
      );
    }
    if (!methods.includes("GET")) continue;
    const head = await fetch(server.url + path, { method: "HEAD", redirect: "manual" });
    expect([path, await head.text(), head.status < 500]).toEqual([path, "", true]);
  }
  expect(storedIn(server)).toEqual(before);
});

test("the API ignores cookies, and does not accept the secret of a browser session", async () => {
  const ann = await browser();
  for (const { method, path, access } of ROUTES) {
    if (access.callers === "anyone") continue;
    const address = `!${endpointName(path).replace("{id}", "x")}`;
    const headers = cookie(ann.cookie);
    expectRefusal(await server.call(method, address, { headers }), 401, SAYS.credential);
    const reply = await server.call(method, address, { headers, token: ann.cookie });
    expectRefusal(reply, 401, SAYS.badCredential);
  }
});
