import { expect, test } from "bun:test";
import { sharedServer } from "../support/replies.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer();

test.each([
  ["/account/keys/some/revoke", "/account/keys"],
  ["/account/devices/pair", "/account/devices"],
  ["/account/deleted/restore", "/account/deleted"],
  ["/account/deleted/7/restore", "/account/deleted"],
  ["/account/password", "/account/security"],
  ["/account/authenticator/new", "/account/security"],
  ["/account/authenticator", "/account/security"],
  ["/account/visits/end-others", "/account/security"],
])("opening %s, which only accepts a form, leads to %s", async (path, section) => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.get(path);
  expect([seen.status, seen.location]).toEqual([303, section]);
  expect((await ann.get(section)).status).toBe(200);
  const next = encodeURIComponent(path);
  expect((await visitor(server).get(path)).location).toBe(`/sign-in?next=${next}`);
});
