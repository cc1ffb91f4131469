import { expect, test } from "bun:test";
import { hasMovedOn, passkeyHost } from "../../../src/domain/people/passkey.ts";

test.each([
  ["http://localhost:3625", "localhost"],
  ["https://localhost", "localhost"],
  ["https://docket.example.org", "docket.example.org"],
  ["https://nas", "nas"],
  ["http://docket.example.org", null],
  ["http://127.0.0.1:3625", null],
  ["https://127.0.0.1", null],
  ["https://0x7f000001", null],
  ["https://2130706433", null],
  ["https://[::1]", null],
  ["http://localhost.evil.example", null],
])("At %s, passkeys work for %p", (address, host) => {
  const { hostname, protocol } = new URL(address);
  expect(passkeyHost({ hostname, secure: protocol === "https:" })).toBe(host);
});

test.each([
  [0, 0, true],
  [0, 1, true],
  [5, 6, true],
  [5, 5, false],
  [5, 4, false],
  [5, 0, false],
])("Whether a counter that goes from %p to %p has moved on: %p", (before, after, moved) => {
  expect(hasMovedOn(before, after)).toBe(moved);
});
