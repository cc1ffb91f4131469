import { describe, expect, test } from "bun:test";
import { networks } from "../../src/domain/base/usage.ts";
import { assetPath, serveAssets } from "../../src/web/assets.ts";
import { sharedServer } from "../support/replies.ts";
import { GETS } from "../support/web/table.ts";
import { type Seen, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer({
  hosts: ["nas", "docket.example.org"],
  settings: {
    publicUrl: new URL("https://docket.example.org/"),
    isProxy: networks(["127.0.0.1"]),
  },
});
const ann = await someoneSignedIn(server);
const stranger = visitor(server);

/** The headers of every reply from the pages, whatever it is. */
const expectHeaders = (name: string, { headers }: Seen, type = "text/html;charset=utf-8"): void => {
  const { "content-security-policy": policy = "", ...others } = Object.fromEntries(headers);
  expect([name, others]).toMatchObject([
    name,
    {
      "cache-control": "no-store",
      "content-type": type,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
  expect(policy).toBe(
    "default-src 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self'; " +
      "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'",
  );
  for (const field of ["access-control-allow-origin", "server", "strict-transport-security"])
    expect(headers.has(field)).toBe(false);
};

/** What a file is named, and its type. Null for a page. */
const fileOf = (name: string): readonly [name: string, type: string] | null => {
  if (name.endsWith(".zip")) return ["docket-extension-", "application/zip"];
  return name.endsWith("/account/export") ? ["docket-export.json", "application/json"] : null;
};

describe("no page may be cached, framed, sniffed, or run code from elsewhere", () => {
  test.each(GETS.filter(([name]) => fileOf(name) === null))("%s", async (name, { address }) => {
    for (const browser of [ann, stranger]) expectHeaders(name, await browser.get(address));
  });

  test.each(GETS.filter(([name]) => fileOf(name)))("%s, a file", async (name, { address }) => {
    const [file = "", type = ""] = fileOf(name) ?? [];
    const { headers } = await ann.get(address);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-disposition": expect.stringContaining(`attachment; filename="${file}`),
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "content-type": type,
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    expectHeaders(name, await stranger.get(address));
  });

  test.each<[string, number, () => Promise<Seen>]>([
    ["a page from elsewhere", 403, () => ann.post("/account/confirm", {}, {})],
    ["a form of another type", 415, () => ann.send("/account/confirm", {})],
    ["a form that is too large", 413, () => ann.post("/sign-in", { email: "x".repeat(70_000) })],
    ["a form with something wrong", 422, () => stranger.post("/sign-in", {})],
    ["an answer that leads on", 303, () => visitor(server).post("/sign-out")],
    ["a page that does not exist", 404, () => ann.get("/account/nothing")],
    ["too many tries", 429, () => tooMany()],
  ])("%s (%i)", async (name, status, ask) => {
    const seen = await ask();
    expect(seen.status).toBe(status);
    expectHeaders(name, seen);
  });

  test("an address that is no page's", async () => {
    const { status, headers, html } = await ann.get("/nothing");
    expect([status, html]).toEqual([
      404,
      JSON.stringify({ error: "There is nothing at /nothing." }),
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });
});

const tooMany = async (): Promise<Seen> => {
  const form = { email: "nobody@visitors.example", password: "wrong" };
  for (let tries = 0; tries < 10; tries++) await stranger.post("/sign-in", form);
  return stranger.post("/sign-in", form);
};

describe("assets", () => {
  test.each(serveAssets().map(({ path }) => [path]))(
    "%s is kept for ever by its hash, and runs nothing",
    async (path) => {
      const { status, headers, html } = await stranger.get(path);
      const hash = new Bun.CryptoHasher("sha256").update(html).digest("hex").slice(0, 12);
      expect([status, path.split("/").pop()?.split("-")[0]]).toEqual([200, hash]);
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
      });
      expect(headers.has("set-cookie")).toBe(false);
    },
  );

  test("have the content type that browsers need", async () => {
    for (const [name, type] of [
      ["style.css", "text/css;charset=utf-8"],
      ["app.js", "text/javascript;charset=utf-8"],
      ["icon.svg", "image/svg+xml"],
    ] as const)
      expect((await stranger.get(assetPath(name))).headers.get("content-type")).toBe(type);
  });

  test.each(["/assets/", "/assets/app.js", "/assets/../app.ts", "/assets/%2e%2e%2fapp.ts"])(
    "there is nothing at %s",
    async (path) => {
      expect((await stranger.get(path)).status).toBe(404);
    },
  );
});

describe("a browser that comes over https is told to keep using it", () => {
  test.each([
    ["at the public address", { host: "docket.example.org" }, true],
    ["through a proxy that says so", { host: "nas", "x-forwarded-proto": "https" }, true],
    // Other servers share this name on other ports, and may use http.
    ["but not by this machine's own name", { "x-forwarded-proto": "https" }, false],
    ["but not by http", { "x-forwarded-proto": "http" }, false],
    ["nor by a short name over http", { host: "nas" }, false],
  ])("%s", async (_name, headers, secure) => {
    const paths = [
      ["/sign-in", 200],
      [assetPath("app.js"), 200],
      ["/tasks", 303],
      ["/tasks/manifest.webmanifest", 200],
      ["/docs", 200],
      ["/openapi.json", 200],
      ["/healthz", 200],
      ["/api/public/v1/me", 401],
      ["/nothing", 404],
      ["/mcp", 405],
    ] as const;
    for (const [path, status] of paths) {
      const seen = await stranger.get(path, headers);
      expect([path, seen.status, seen.headers.get("strict-transport-security")]).toEqual([
        path,
        status,
        secure ? "max-age=31536000" : null,
      ]);
    }
  });
});

test("no page contains inline scripts, styles or handlers, or anything from elsewhere", async () => {
  for (const [name, { address }] of GETS)
    for (const browser of [ann, stranger]) {
      const { html } = await browser.get(address);
      const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
      for (const tag of scripts)
        expect([name, tag]).toEqual([
          name,
          expect.stringMatching(/^<script (?:[^>]* )?src="\/assets\/[\w-]+\.js"/),
        ]);
      expect([name, html.match(/<style|<iframe|<object|<base|\sstyle=|\son\w+=/gi)]).toEqual([
        name,
        null,
      ]);
      const loaded = [...html.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g)];
      for (const [, url] of loaded)
        expect([name, url]).toEqual([name, expect.stringMatching(/^\/[^/]/)]);
    }
});
