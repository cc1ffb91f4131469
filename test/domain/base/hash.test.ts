import { expect, test } from "bun:test";
import type { Change } from "../../../src/domain/sync/change.ts";
import { addressToken } from "../../../src/db/sqlite/search/follow.ts";
import { entityTag } from "../../../src/domain/calls/etag.ts";
import { wyhash64 } from "../../../src/domain/base/hash.ts";
import { pushedContent } from "../../../src/domain/sync/proof.ts";
import { versionDigest } from "../../../src/domain/history/version.ts";

// Stored hashes are compared with new ones, so these tests fail if the runtime hashes differently.

const NOON = 1_772_625_600_000;

test.each([
  ["an empty text", "", 290873116282709081n],
  ["a letter", "a", 2941419223392617777n],
  ["an address", "https://a.example/x?y=1", 17351909783234552654n],
  [
    "ASCII of more than 48 bytes",
    "The quick brown fox jumps over the lazy dog, and then once more.",
    14142369622814505870n,
  ],
  ["non-ASCII letters and an emoji", "naïve 東京 🚀", 6102125446143935497n],
  ["half of a surrogate pair", "\uD83E", 6000221778706169387n],
  ["a long text", "x".repeat(100_000), 10319153210305349593n],
])("Wyhash of %s never changes", (_what, text, hash) => {
  expect(wyhash64(text)).toBe(hash);
});

test.each([
  ["an empty text", "", NOON, 12120911804052836877n],
  ["a letter", "a", NOON, 15820230022341645520n],
  ["non-ASCII letters and an emoji", "naïve 東京 🚀", NOON, 6471310764230650610n],
  ["a letter, the seed 0", "a", 0, 2941419223392617777n],
])("Wyhash of %s with a seed never changes", (_what, text, seed, hash) => {
  expect(wyhash64(text, seed)).toBe(hash);
});

const CHANGE: Change = {
  table: "sync_tasks",
  id: "t1",
  updated: NOON,
  updatedAt: "2026-03-04T12:00:00Z",
  deletedAt: null,
  payload: { title: "Brot & Käse 🧀", n: 1 },
  payloadText: '{"title":"Brot & Käse 🧀","n":1}',
  base: null,
  expected: null,
  baseRev: null,
  expectedRev: null,
  changedAt: new Map(),
};

test("The stored hashes of a push, a refused version and an address never change", () => {
  expect(pushedContent(CHANGE)).toBe("1n1rzlgqxad7p");
  expect(pushedContent({ ...CHANGE, deletedAt: "2026-03-05T12:00:00Z" })).toBe("3n9c0thblz5x");
  expect(versionDigest("stale", CHANGE)).toBe("30bj7t75ltx06");
  const page = { url: "https://a.example/東京?y=1" };
  expect(addressToken(page.url)).toBe("2egr5ddi5v0de");
  expect(addressToken("")).toBe("27k1wwwhf13t");
});

test("An entity tag that a client stored keeps naming its version", () => {
  const version = { updated: CHANGE.updated, payload: CHANGE.payloadText };
  expect(entityTag(version)).toBe('"7685a9bd2e1df988"');
});
