import { expect, test } from "bun:test";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { sharedServer } from "../support/replies.ts";
import { someoneSignedIn, type Visitor } from "../support/web/visitor.ts";

const server = await sharedServer();

const WISH = { name: "helper", read: "yes", where: "account", expires: "90d" };

/** The form as the page shows it. */
const formOf = async (ann: Visitor): Promise<string> =>
  /name="form" value="([^"]+)"/.exec((await ann.get("/account/keys/new")).html)?.[1] ?? "";

test("Reloading the page of a new key makes no second key, and shows none", async () => {
  const ann = await someoneSignedIn(server);
  const form = await formOf(ann);
  const made = await ann.post("/account/keys", { ...WISH, form });
  expect([made.status, made.html]).toEqual([200, expect.stringContaining("docket_live_")]);
  const again = await ann.post("/account/keys", { ...WISH, form });
  const [key, ...others] = await listKeys(server.store, ann.account.id);
  expect(others).toEqual([]);
  expect([again.status, again.location]).toEqual([303, `/account/keys?made=${key?.id}`]);
  const list = await ann.get(again.location ?? "");
  expect(list.text).toContain(
    "The key “ helper ” was created once, and Docket does not show it again. If you did not copy it, revoke it and create another one.",
  );
});

test("Another form makes another key, and so does one that was first sent with a mistake", async () => {
  const ann = await someoneSignedIn(server);
  const form = await formOf(ann);
  expect((await ann.post("/account/keys", { ...WISH, name: "", form })).status).toBe(422);
  expect((await ann.post("/account/keys", { ...WISH, form })).status).toBe(200);
  expect((await ann.post("/account/keys", { ...WISH, form: await formOf(ann) })).status).toBe(200);
  expect(await listKeys(server.store, ann.account.id)).toHaveLength(2);
});

test("A form of one person stops nobody else's", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server)];
  const form = await formOf(ann);
  for (const person of [ann, bob])
    expect((await person.post("/account/keys", { ...WISH, form })).status).toBe(200);
});
