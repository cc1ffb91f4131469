import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { addAccount } from "../../src/db/people/accounts.ts";
import { openStore } from "../../src/db/open.ts";
import type { Origin } from "../../src/server/checks/request.ts";
import { startHasher } from "../../src/domain/people/password.ts";
import { clearCookie, readCookie, setCookie } from "../../src/web/shared/page.ts";
import { DOCKET } from "../support/docket.ts";
import { serve } from "../support/program.ts";
import { sharedServer } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const FIXTURES = join(import.meta.dir, "../fixtures");
const NAS: Origin = { href: "http://nas:3625", hostname: "nas", port: "3625", secure: false };
const PUBLIC: Origin = { href: "https://a.example", hostname: "a.example", port: "", secure: true };

const sending = (cookie: string): Request =>
  new Request("http://localhost/", { headers: { cookie } });

describe("a cookie", () => {
  test.each([
    [
      "over http has the port in its name",
      NAS,
      "docket-3625=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000",
    ],
    [
      "over https is bound to its host, and never sent over http",
      PUBLIC,
      "__Host-docket=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure",
    ],
    [
      "over https on a port of its own has both",
      { ...PUBLIC, port: "8443" },
      "__Host-docket-8443=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure",
    ],
  ])("%s", (_name, origin, field) => {
    expect(setCookie(origin, "docket", "v")).toBe(field);
    expect(clearCookie(origin, "docket")).toBe(field.replace("=v;", "=;").replace("7776000", "0"));
    expect(readCookie(sending(`a=b; ${field.split(";")[0]}; c=d`), origin, "docket")).toBe("v");
  });

  test("is found only by its full name", () => {
    for (const [cookie, value] of [
      ["docket-3625=v", "v"],
      ["  docket-3625=v ", "v"],
      ["docket-3625=v=w", "v=w"],
      ["docket-3625=", null],
      ["docket-3625", null],
      ["docket=v", null],
      ["docket-36250=v", null],
      ["docket-known-3625=v", null],
      ["__Host-docket-3625=v", null],
      ["x=docket-3625=v", null],
      ["DOCKET-3625=v", null],
      ["", null],
    ] as const)
      expect([cookie, readCookie(sending(cookie), NAS, "docket")]).toEqual([cookie, value]);
  });

  test("that was set over http does not count over https", () => {
    expect(readCookie(sending("docket-3625=v; docket=v"), PUBLIC, "docket")).toBeNull();
  });
});

const server = await sharedServer();
const { port } = new URL(server.url);
const SECRET = "docket_page_[0-9A-Za-z]{38}";

describe("signing in", () => {
  test("sets two cookies that no script and no form of another site can use", async () => {
    const ann = await someoneSignedIn(server);
    const browser = visitor(server);
    const form = { email: ann.account.email, password: PASSWORD };
    const fields = (await browser.post("/sign-in", form)).headers.getSetCookie();
    const rest = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=";
    expect(fields).toEqual([
      expect.stringMatching(new RegExp(`^docket-${port}=${SECRET}${rest}7776000$`)),
      expect.stringMatching(new RegExp(`^docket-known-${port}=${SECRET}${rest}34560000$`)),
    ]);
    const out = await browser.post("/sign-out");
    expect(out.headers.getSetCookie()).toEqual([`docket-${port}=${rest}0`]);
    expect([...browser.cookies.keys()]).toEqual([`docket-known-${port}`]);
  });

  test("gives a new cookie each time, whatever the browser sent", async () => {
    const ann = await someoneSignedIn(server);
    const form = { email: ann.account.email, password: PASSWORD };
    const chosen = ann.cookies.get(`docket-${port}`) ?? "";
    const thief = visitor(server);
    thief.cookies.set(`docket-${port}`, chosen);
    await ann.post("/sign-in", form);
    expect(ann.cookies.get(`docket-${port}`)).not.toBe(chosen);
    expect((await thief.get("/account")).status).toBe(303);
  });
});

test("over https, cookies are bound to the host, and localhost is not bound to https", async () => {
  const directory = testDirectory();
  const store = await openStore({ directory, role: "visitor", now: Date.now() });
  const passwordHash = await startHasher().hash(PASSWORD);
  await addAccount(store, "ann@example.org", { plan: "pro", passwordHash }, Date.now());
  await store.close();
  const [cert, key] = [join(FIXTURES, "tls-cert.pem"), join(FIXTURES, "tls-key.pem")];
  const words = ["--data", directory, "--tls-cert", cert, "--tls-key", key];
  const secure = await serve(DOCKET, words);
  const response = await fetch(`${secure.url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: secure.url },
    body: new URLSearchParams({ email: "ann@example.org", password: PASSWORD }),
    tls: { rejectUnauthorized: false },
  });
  const own = new URL(secure.url).port;
  expect([response.status, response.headers.get("strict-transport-security")]).toEqual([303, null]);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(new RegExp(`^__Host-docket-${own}=${SECRET}; Path=/; .*; Secure$`)),
    expect.stringMatching(new RegExp(`^__Host-docket-known-${own}=${SECRET}; Path=/; .*; Secure$`)),
  ]);
  await secure.stop();
});
