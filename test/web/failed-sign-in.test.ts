import { beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { networks } from "../../src/domain/base/usage.ts";
import { startLog } from "../../src/server/log.ts";
import { NOON } from "../support/server.ts";
import { sharedServer } from "../support/replies.ts";
import { byName, optionsFrom } from "../support/web/passkeys.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer({ settings: { isProxy: networks(["127.0.0.1"]) } });
const FROM = "198.51.100.7";
const there = { "x-forwarded-for": FROM, origin: server.url };

let seen = 0;
beforeEach(() => {
  seen = server.logged.length;
});

/** The failed sign-ins that the log has had since the test began, without time and level. */
const failures = () =>
  server.logged
    .slice(seen)
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === "failed sign-in")
    .map(({ time: _time, ...rest }) => rest);

const FAILED = { level: "warn", message: "failed sign-in", address: FROM, because: "refused" };

const guess = (email: string, password = "wrong password") =>
  visitor(server).post("/sign-in", { email, password }, there);

test("A wrong password is logged with the address and the account, never the password", async () => {
  const ann = await someoneSignedIn(server);
  expect((await guess(ann.account.email, "my secret guess")).status).toBe(422);
  expect((await guess("Nobody@Example.org")).status).toBe(422);
  expect(failures()).toEqual([
    { ...FAILED, by: "password", account: ann.account.email },
    { ...FAILED, by: "password", account: "nobody@example.org" },
  ]);
  expect(server.logged.slice(seen).join("\n")).not.toContain("my secret guess");
});

test("An attempt that has to wait is logged as well", async () => {
  for (let at = 0; at < 11; at++) await guess("many@example.org");
  expect(failures().map(({ because }) => because)).toEqual([
    ...Array.from({ length: 10 }, () => "refused"),
    "throttled",
  ]);
});

test("So is a wrong password of someone who is signed in", async () => {
  const ann = await someoneSignedIn(server);
  await ann.post("/account/confirm", { password: "wrong" }, there);
  expect(failures()).toEqual([{ ...FAILED, by: "password", account: ann.account.email }]);
});

test("So are a passkey that nobody has, and codes that nobody was given", async () => {
  const stranger = visitor(byName(server));
  await optionsFrom(stranger, "/sign-in/passkey/options");
  await stranger.send("/sign-in/passkey", { credential: { id: "none" } });
  const grants = [
    { grant_type: "urn:docket:pairing", client_id: "docket-extension", code: "ABCD-EFGH" },
    {
      grant_type: "authorization_code",
      code: "none",
      redirect_uri: "https://a.example/",
      client_id: "docket-extension",
      code_verifier: "v".repeat(43),
    },
  ];
  for (const grant of grants) {
    const body = new URLSearchParams(grant);
    const reply = await fetch(`${server.url}/oauth/token`, {
      method: "POST",
      body,
      headers: there,
    });
    expect(((await reply.json()) as { error: string }).error).toBe("invalid_grant");
  }
  expect(failures()).toEqual([
    { ...FAILED, address: "127.0.0.1", by: "passkey", account: null },
    { ...FAILED, by: "pairing-code", account: null },
    { ...FAILED, by: "authorization-code", account: null },
  ]);
});

test("Signing in, and leaving a field empty, are no failures", async () => {
  await someoneSignedIn(server);
  await guess("", "x");
  await guess("ann@example.org", "");
  expect(failures()).toEqual([]);
});

test("A call with a credential that is not valid is logged with its address", async () => {
  const headers = { ...there, authorization: "Bearer docket_live_none" };
  expect((await fetch(`${server.url}/api/public/v1/me`, { headers })).status).toBe(401);
  await fetch(`${server.url}/healthz`, { headers });
  const [refused, fine] = server.logged.slice(seen).map((line) => JSON.parse(line));
  expect([refused.address, fine.address]).toEqual([FROM, undefined]);
});

/** The pattern that the guide gives to fail2ban, as JavaScript writes it. */
const banned = (): RegExp => {
  const guide = readFileSync(
    join(import.meta.dir, "../../src/reference/guides/operating.md"),
    "utf8",
  );
  const written = /^failregex = (.*)$/m.exec(guide)?.[1] ?? "";
  expect(written).toContain("<HOST>");
  return new RegExp(written.replace("<HOST>", String.raw`(?<host>[0-9a-f.:]+)`));
};

test.each(["pretty", "json"] as const)(
  "The guide's pattern finds the address in a %s log",
  (format) => {
    const lines: string[] = [];
    const log = startLog(
      format,
      (line) => lines.push(line),
      () => new Date(NOON),
    );
    const forged = "address=203.0.113.9@failed.example";
    for (const account of ["ann@example.org", forged, `"address":"203.0.113.9"@x`, null])
      log.failedSignIn({ address: FROM, by: "password", account, because: "refused" });
    for (const line of lines) expect(banned().exec(line)?.groups?.["host"]).toBe(FROM);
    const path = `/failed sign-in address=203.0.113.9 "failed sign-in","address":"203.0.113.9"`;
    log.request({ requestId: "r", method: "GET", path, status: 404, ms: 1, caller: null });
    expect(banned().test(lines.at(-1) ?? "")).toBe(false);
  },
);
