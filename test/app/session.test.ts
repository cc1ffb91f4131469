import { expect, test } from "bun:test";
import { sharedServer, V1 } from "../support/replies.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();
type Visitor = Awaited<ReturnType<typeof someoneSignedIn>>;

const tokenOf = async (browser: Pick<Visitor, "send">): Promise<string> =>
  JSON.parse((await browser.send("/tasks/session", {})).html).token;

const statusOf = async (token: string): Promise<number> =>
  (await fetch(`${server.url}${V1}/sync`, { headers: { authorization: `Bearer ${token}` } }))
    .status;

test("the web app gets a token for the browser's account, and all its windows the same one", async () => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.send("/tasks/session", {});
  expect([seen.status, JSON.parse(seen.html)]).toEqual([
    200,
    {
      token: expect.stringMatching(/^docket_sess_\w{38}$/),
      account: { id: String(ann.account.id), email: ann.account.email },
      setUp: { hasDevice: false, hasKey: false, hasImported: false },
    },
  ]);
  expect(seen.headers.get("cache-control")).toBe("no-store");
  const token = JSON.parse(seen.html).token;
  expect([await tokenOf(ann), await statusOf(token)]).toEqual([token, 200]);
});

test("without a browser session there is no token", async () => {
  const { status, html } = await visitor(server).send("/tasks/session", {});
  expect([status, JSON.parse(html)]).toEqual([401, { error: "You are not signed in." }]);
});

test("no other site gets a token, and no form does", async () => {
  const ann = await someoneSignedIn(server);
  const cookie = [...ann.cookies].map((pair) => pair.join("=")).join("; ");
  const ask = async (headers: Readonly<Record<string, string>>) =>
    (
      await fetch(`${server.url}/tasks/session`, {
        method: "POST",
        body: "{}",
        headers: { cookie, "content-type": "application/json", ...headers },
      })
    ).status;
  expect([
    await ask({ origin: "https://evil.example" }),
    await ask({ "sec-fetch-site": "cross-site", origin: server.url }),
    await ask({ "sec-fetch-site": "same-site" }),
    await ask({}),
    await ask({ origin: server.url, "content-type": "text/plain" }),
    await ask({ origin: server.url }),
  ]).toEqual([403, 403, 403, 403, 415, 200]);
});

test("the token is a device of its own, and ends when the browser signs out", async () => {
  const ann = await someoneSignedIn(server);
  const token = await tokenOf(ann);
  expect((await ann.get("/account/devices")).text).toContain("web app");
  await ann.post("/sign-out");
  expect(await statusOf(token)).toBe(401);
});

test("signing out on the devices page ends the browser session too", async () => {
  const ann = await someoneSignedIn(server);
  const token = await tokenOf(ann);
  const { html } = await ann.get("/account/devices");
  const path = /action="(\/account\/devices\/[^"]+\/revoke)"/.exec(html)?.[1] ?? "";
  await ann.post(path);
  expect(await statusOf(token)).toBe(401);
  expect((await ann.send("/tasks/session", {})).status).toBe(401);
  expect((await ann.get("/tasks")).location).toBe("/sign-in?next=%2Ftasks");
});

test("the address of the server leads to the tasks, after signing in", async () => {
  const ann = await someoneSignedIn(server);
  expect((await ann.get("/")).location).toBe("/tasks");
  expect((await ann.get("/tasks")).status).toBe(200);
  const stranger = visitor(server);
  expect((await stranger.get("/tasks/today?task=a")).location).toBe(
    "/sign-in?next=%2Ftasks%2Ftoday%3Ftask%3Da",
  );
});

test("the app's page runs no inline script or style, loads nothing from elsewhere, and is in no frame", async () => {
  const ann = await someoneSignedIn(server);
  for (const path of ["/tasks", "/tasks/inbox", "/tasks/folder/a", "/tasks/shell"]) {
    const { status, headers, html } = await ann.get(path);
    expect([path, status, headers.get("content-security-policy")]).toEqual([
      path,
      200,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types docket-worker",
    ]);
    expect(html.match(/<style|<iframe|\sstyle=|\son\w+=|<script(?![^>]*\ssrc="\/assets\/)/gi)).toBe(
      null,
    );
    expect(html).not.toContain(ann.account.email);
  }
});

test("every file that the page, the manifest and the worker name is there", async () => {
  const anyone = visitor(server);
  const { html } = await anyone.get("/tasks/shell");
  const manifest = await anyone.get("/tasks/manifest.webmanifest");
  const worker = await anyone.get("/tasks/worker.js");
  const named = [html, manifest.html, worker.html].flatMap((text) =>
    [...text.matchAll(/"(\/(?:assets|tasks)\/[\w.-]+\.[a-z]+)"/g)].map(([, path]) => path ?? ""),
  );
  expect(named.length).toBeGreaterThan(8);
  for (const path of new Set(named))
    expect([path, (await anyone.get(path)).status]).toEqual([path, 200]);
  expect(worker.headers.get("service-worker-allowed")).toBe("/tasks");
});

test("the first view takes at most 110 kB, and 15 kB of it is style", async () => {
  const { html } = await visitor(server).get("/tasks/shell");
  const sizeOf = async (name: string): Promise<number> => {
    const path = new RegExp(`"(/assets/[^"]+-${name})"`).exec(html)?.[1] ?? "";
    const body = await (await fetch(server.url + path)).bytes();
    return Bun.gzipSync(body, { level: 9 }).length;
  };
  const [script, style] = [await sizeOf("tasks.js"), await sizeOf("tasks.css")];
  const page = Bun.gzipSync(html, { level: 9 }).length;
  expect(page + (await sizeOf("early.js")) + script + style).toBeLessThan(110_000);
  expect(style).toBeLessThan(15_000);
});
