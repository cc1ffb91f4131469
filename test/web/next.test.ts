import { describe, expect, test } from "bun:test";
import { safeNext } from "../../src/web/entry/signed-in-for.ts";
import { sharedServer } from "../support/replies.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();
const ann = await someoneSignedIn(server);

/** Addresses that a link asks to go to after signing in, and that are not allowed. */
const ELSEWHERE = [
  "",
  "//evil.example",
  "//evil.example/account",
  "///evil.example/account",
  "/\\evil.example",
  "\\\\evil.example/account",
  "/\t/evil.example/account",
  "/\n/evil.example/account",
  "\n//evil.example/account",
  "\u0000//evil.example/account",
  " //evil.example/account",
  "https://evil.example/account",
  "https://evil.example/account/keys?a=b",
  "https:evil.example/account",
  "HTTPS:/\\evil.example/account",
  "http://docket.invalid@evil.example/account",
  "http://docket.invalid.evil.example/account",
  "https://docket.invalid/account",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)//account",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "blob:http://docket.invalid/account",
  "mailto:a@b.example",
  "/%2f%2fevil.example",
  "%2f%2fevil.example",
  "/account/../..//evil.example",
  "/account/..//evil.example/account",
  "/account/%2e%2e//evil.example/account",
  "/accounts",
  "/account\r\nSet-Cookie: a=b",
  "/account.evil",
  "/account%2f..",
  "/sign-in",
  "/setup",
  "/oauth/token",
  "/api/public/v1/me",
  "/",
  "@evil.example",
  "?next=//evil.example",
  "http://[",
];

/** Addresses that are allowed. */
const HERE: readonly (readonly [string, string])[] = [
  ["/account", "/account"],
  ["/account/", "/account/"],
  ["/account/keys?a=b&next=%2F%2Fevil.example", "/account/keys?a=b&next=%2F%2Fevil.example"],
  ["/account/tasks/a%2Fb", "/account/tasks/a%2Fb"],
  [
    "/oauth/authorize?redirect_uri=https%3A%2F%2Fa.example",
    "/oauth/authorize?redirect_uri=https%3A%2F%2Fa.example",
  ],
  ["/account#//evil.example", "/account"],
  ["/account/\r\nSet-Cookie: a=b", "/account/Set-Cookie:%20a=b"],
  ["/account?q=ü\ud83e", "/account?q=%C3%BC%EF%BF%BD"],
];

describe("what comes after signing in", () => {
  test("is the tasks if a link asks for anything else", () => {
    for (const next of ELSEWHERE) {
      expect([next, safeNext(next)]).toEqual([next, "/tasks"]);
      expect([next, safeNext(next, "/account")]).toEqual([next, "/account"]);
    }
    expect(safeNext(null)).toBe("/tasks");
  });

  test("can be a page of this server, and never contains a line break", () => {
    for (const [next, place] of HERE) expect([next, safeNext(next)]).toEqual([next, place]);
  });

  test("is never another site, however it is asked for", async () => {
    for (const next of ELSEWHERE) {
      const query = `?next=${encodeURIComponent(next)}`;
      expect([next, (await ann.get(`/sign-in${query}`)).location]).toEqual([next, "/tasks"]);
    }
    for (const next of ["//evil.example", "https://evil.example/account", "/\\evil.example"]) {
      const form = { email: ann.account.email, password: PASSWORD, next };
      expect([next, (await ann.post("/sign-in", form)).location]).toEqual([next, "/tasks"]);
    }
  });

  test("is kept by the form, even after a failed attempt", async () => {
    const kept = '<input type="hidden" name="next" value="/account/keys?a=b"/>';
    const browser = visitor(server);
    expect((await browser.get("/sign-in?next=%2Faccount%2Fkeys%3Fa%3Db")).html).toContain(kept);
    const form = { email: "", password: "", next: "/account/keys?a=b" };
    expect((await browser.post("/sign-in", form)).html).toContain(kept);
  });

  test("may be as long as a request can be", async () => {
    const long = `/account?q=${"x".repeat(10_000)}`;
    expect((await ann.get(`/sign-in?next=${encodeURIComponent(long)}`)).location).toBe(long);
    const form = { email: ann.account.email, password: PASSWORD };
    for (const length of [15_000, 60_000]) {
      const next = `/account?q=${"x".repeat(length)}`;
      expect((await ann.post("/sign-in", { ...form, next })).status).toBe(303);
    }
  });
});
