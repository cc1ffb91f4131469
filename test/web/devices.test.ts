import { expect, test } from "bun:test";
import { createSession, listSessions, revokeSession } from "../../src/db/people/sessions.ts";
import { DAY, MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { postForm } from "../support/extension.ts";
import { change, sharedServer } from "../support/replies.ts";
import { NOON, startServer } from "../support/server.ts";
import { PASSWORD, type Seen, someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer();
const { call, store, clock } = server;

const device = (accountId: number, name = "laptop", now = clock.wall()) =>
  createSession(store, accountId, name, cryptoRandom, now);

/** The cells of a device's row, by column. */
const rowOf = ({ html }: Seen, name: string): Record<string, string> => {
  const row = html.split("<tr>").find((text) => text.includes(`<bdi>${name}</bdi>`)) ?? "";
  const cells = row.matchAll(/<td data-label="([^"]*)">(.*?)<\/td>/gs);
  return Object.fromEntries(
    Array.from(cells, ([, column = "", cell = ""]) => [column, cell.replaceAll(/<[^>]*>/g, "")]),
  );
};

test("a device is listed with when it was used, what its syncs did, and when it ends", async () => {
  const ann = await someoneSignedIn(server);
  const { secret: token } = await device(ann.account.id, "Ann's laptop", NOON - DAY);
  const body = [change("sync_tasks", "a", {}), change("sync_tasks", "b", {}), "x"];
  await call("POST", "/sync", { token, body });
  await call("GET", "/sync", { token });
  await Bun.sleep(20);
  expect(rowOf(await ann.get("/account/devices"), "Ann's laptop")).toEqual({
    Status: "signed in",
    Added: "3 March 2026, 12:00 UTC",
    "Last used": "4 March 2026, 12:00 UTC",
    "Last sync": "4 March 2026, 12:00 UTC",
    Received: "2",
    Sent: "2",
    "Not accepted": "1",
    Ends: "3 April 2026, 12:00 UTC",
    Actions: "Sign out",
  });
});

test("a device that never synced says so, and without devices the page says how to connect one", async () => {
  const ann = await someoneSignedIn(server);
  const none = await ann.get("/account/devices");
  expect(none.text).toContain(
    "No device is signed in yet. A browser appears here once you sign in from its extension.",
  );
  expect(none.text).toContain(server.url);
  await device(ann.account.id);
  expect(rowOf(await ann.get("/account/devices"), "laptop")).toMatchObject({
    "Last sync": "never",
    Received: "0",
    Sent: "0",
    "Not accepted": "0",
  });
});

test("the address to enter is the public one if there is one", async () => {
  const publicUrl = new URL("https://docket.example/");
  const other = await startServer({ settings: { publicUrl } });
  const ann = await someoneSignedIn(other);
  const page = await ann.get("/account/devices");
  expect(page.text).toContain(
    "Enter this address in the extension, then sign in from there: https://docket.example ",
  );
  await other.stop();
});

test("signing a device out refuses its token at once, and lists it among those no longer signed in", async () => {
  const ann = await someoneSignedIn(server);
  const { session, secret: token } = await device(ann.account.id, "phone");
  clock.advance(MINUTE);
  const seen = await ann.post(`/account/devices/${session.id}/revoke`);
  expect([seen.status, seen.location]).toEqual([303, "/account/devices"]);
  expect((await call("GET", "/me", { token })).status).toBe(401);
  const page = await ann.get("/account/devices");
  expect(page.text).toContain("No device is signed in yet.");
  expect(rowOf(page, "phone")).toMatchObject({
    Status: "signed out",
    Ends: "4 March 2026, 12:01 UTC",
    Actions: "",
  });
});

test("devices stay listed for 90 days after they end, below those that are signed in", async () => {
  const ann = await someoneSignedIn(server);
  const { id } = ann.account;
  await device(id, "expired long ago", NOON - 120 * DAY);
  await device(id, "expired lately", NOON - 31 * DAY);
  const gone = await device(id, "revoked long ago", NOON - 100 * DAY);
  await revokeSession(store, id, gone.session.id, NOON - 90 * DAY);
  const late = await device(id, "revoked lately", NOON - 100 * DAY);
  await revokeSession(store, id, late.session.id, NOON - 90 * DAY + 1);
  await device(id, "in use");
  const { text, html } = await ann.get("/account/devices");
  const order = ["in use", "expired lately", "revoked lately"];
  expect(order.map((name) => text.indexOf(name))).toEqual(
    order.map((name) => text.indexOf(name)).toSorted((a, b) => a - b),
  );
  expect(text).not.toContain("long ago");
  expect(rowOf({ html } as Seen, "expired lately")).toMatchObject({ Status: "expired" });
});

test("another account's device is neither shown nor signed out", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  const { session, secret: token } = await device(bob.account.id, "bob's laptop");
  expect((await ann.get("/account/devices")).text).not.toContain("bob's laptop");
  for (const id of [session.id, "nothing", "%00", "a%2Fb"]) {
    const seen = await ann.post(`/account/devices/${id}/revoke`);
    expect([seen.status, seen.text]).toEqual([
      404,
      expect.stringContaining("Session not found. It may have been deleted."),
    ]);
  }
  expect((await call("GET", "/me", { token })).status).toBe(200);
});

test("strangers and forms on other sites get nothing", async () => {
  const ann = await someoneSignedIn(server);
  const { session, secret: token } = await device(ann.account.id);
  const stranger = visitor(server);
  expect((await stranger.get("/account/devices")).location).toBe(
    "/sign-in?next=%2Faccount%2Fdevices",
  );
  for (const path of ["/account/devices/pair", `/account/devices/${session.id}/revoke`]) {
    expect((await stranger.post(path)).location).toBe("/sign-in");
    const foreign = await ann.post(path, {}, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
  }
  expect((await call("GET", "/me", { token })).status).toBe(200);
});

test("a device's name is shown as text, whatever it is", async () => {
  const ann = await someoneSignedIn(server);
  await device(ann.account.id, '<script>alert(1)</script>"');
  const { html } = await ann.get("/account/devices");
  expect(html).not.toContain("<script>alert");
  expect(html).toContain("&lt;script>alert(1)&lt;/script>");
});

const codeIn = ({ html }: Seen): string =>
  /<div class="secret">.*?<code class="copy">([^<]*)<\/code>/s.exec(html)?.[1] ?? "";

test("a pairing code is shown once, with instructions, and pairs a device", async () => {
  const ann = await someoneSignedIn(server);
  const page = await ann.post("/account/devices/pair");
  const code = codeIn(page);
  expect([page.status, code]).toEqual([
    200,
    expect.stringMatching(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/),
  ]);
  expect(page.text).toContain("It works for one device, until 4 March 2026, 12:10 UTC .");
  expect(page.text).toContain(`Enter the address ${server.url}`);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect((await ann.get("/account/devices")).html).not.toContain(code);
  const paired = await postForm(server, "/oauth/token", {
    grant_type: "urn:docket:pairing",
    client_id: "docket-extension",
    code,
    device_name: "tablet",
  });
  expect(paired.status).toBe(200);
  expect(rowOf(await ann.get("/account/devices"), "tablet")).toMatchObject({ Status: "signed in" });
});

test("pairing asks for the password if the last proof is older than ten minutes", async () => {
  const ann = await someoneSignedIn(server);
  clock.advance(10 * MINUTE + 1);
  const refused = await ann.post("/account/devices/pair");
  expect([refused.status, codeIn(refused)]).toEqual([422, ""]);
  expect(refused.text).toContain("Enter your password to continue.");
  const wrong = await ann.post("/account/devices/pair", { password: "wrong password" });
  expect([wrong.status, codeIn(wrong)]).toEqual([422, ""]);
  expect(wrong.text).toContain("Wrong password.");
  const right = await ann.post("/account/devices/pair", { password: PASSWORD });
  expect([right.status, codeIn(right)]).toEqual([200, expect.stringMatching(/^[0-9A-Z]{4}-/)]);
  expect(await listSessions(store, ann.account.id)).toEqual([]);
});

/** The names in the table with this caption, and the address behind a link of its pager. */
const namesIn = ({ html }: Seen, caption: string): readonly string[] => {
  const [, rest = ""] = html.split(caption);
  const [table = ""] = rest.split("</table>");
  return Array.from(table.matchAll(/<bdi>([^<]*)<\/bdi>/g), ([, name = ""]) => name);
};

const olderIn = ({ html }: Seen, pages: string): string => {
  const [, rest = ""] = html.split(`aria-label="${pages}"`);
  return /<a href="([^"]*)">Older/.exec(rest.split("</nav>")[0] ?? "")?.[1] ?? "";
};

test.each([
  ["live", "Signed in, most recently used first", "Pages of signed-in devices"],
  ["ended", "Signed out or expired in the last 90 days", "Pages of other devices"],
])(
  "120 devices that are %s have three pages, with each on one of them",
  async (kind, caption, pages) => {
    const ann = await someoneSignedIn(server);
    const bob = await someoneSignedIn(server, "bob");
    await device(bob.account.id, "bob's");
    const { id } = ann.account;
    for (let at = 0; at < 120; at++) {
      // Several of them at one time.
      const made = await device(
        id,
        `d${String(at).padStart(3, "0")}`,
        NOON - 60_000 + Math.floor(at / 7),
      );
      if (kind === "ended")
        await revokeSession(store, id, made.session.id, NOON - 50_000 + Math.floor(at / 7));
    }
    const names: string[] = [];
    let path = "/account/devices";
    for (const size of [50, 50, 20]) {
      const seen = await ann.get(path);
      const shown = namesIn(seen, caption);
      expect([seen.status, shown.length]).toEqual([200, size]);
      names.push(...shown);
      expect(seen.html.includes('<a href="/account/devices">Newest</a>')).toBe(path.includes("?"));
      path = olderIn(seen, pages);
    }
    const all = Array.from({ length: 120 }, (_, at) => `d${String(119 - at).padStart(3, "0")}`);
    expect(names.toSorted()).toEqual(all.toSorted());
    expect([names[0]?.slice(0, 3), names.at(-1)?.slice(0, 3), path]).toEqual(["d11", "d00", ""]);
  },
);

test.each(["x", btoa("[1]"), btoa('["1","a"]'), btoa("[1,2]")])(
  "an address that leads to no page of the list says so and shows the newest (%s)",
  async (cursor) => {
    const ann = await someoneSignedIn(server);
    await device(ann.account.id);
    for (const name of ["cursor", "ended"]) {
      const seen = await ann.get(`/account/devices?${name}=${cursor}`);
      expect([seen.status, namesIn(seen, "Signed in, most recently used first")]).toEqual([
        422,
        ["laptop"],
      ]);
      expect(seen.text).toContain("This address does not lead to a page of the list.");
    }
  },
);
