import { expect, test } from "bun:test";
import fc from "fast-check";
import { isStored, readIdempotencyKey } from "../../../src/domain/calls/idempotency.ts";
import { cases } from "../../support/random.ts";

const UUID = "8e03978e-40d5-43e8-bc93-6894a57f9324";
const LONGEST = "k".repeat(255);

test.each([
  ["in quotes", `"${UUID}"`, UUID],
  ["bare", UUID, UUID],
  ["with spaces and commas in quotes", '"a, b c"', "a, b c"],
  ["with a quote and a backslash in quotes", String.raw`"a\"b\\c"`, String.raw`a"b\c`],
  ["of one character", "k", "k"],
  ["of the greatest length, in quotes", `"${LONGEST}"`, LONGEST],
  ["of the greatest length, bare", LONGEST, LONGEST],
  ["of as many backslashes as possible", `"${"\\\\".repeat(255)}"`, "\\".repeat(255)],
])("A key %s is read", (_name, field, key) => {
  expect(readIdempotencyKey(field)).toBe(key);
});

test.each([
  ["nothing", ""],
  ["nothing in quotes", '""'],
  ["one character too many", `"${LONGEST}k"`],
  ["one character too many, bare", `${LONGEST}k`],
  ["an open quote", '"a'],
  ["an open quote after a backslash", String.raw`"a\"`],
  ["a quote in the middle", '"a"b"'],
  ["another escape", String.raw`"a\n"`],
  ["two keys", '"a", "b"'],
  ["two bare keys", "a, b"],
  ["a space in a bare key", "a b"],
  ["non-ASCII letters", '"schlüssel"'],
  ["bare non-ASCII letters", "schlüssel"],
  ["a control character", '"a\tb"'],
  ["DEL", '"a\u007F"'],
])("A key of %s is malformed", (_name, field) => {
  expect(readIdempotencyKey(field)).toBeNull();
});

test("Every key of printable ASCII is read back as it was before quoting", () => {
  const keys = fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((c) => String.fromCodePoint(c)),
    minLength: 1,
    maxLength: 255,
  });
  fc.assert(
    fc.property(keys, (key) => {
      expect(readIdempotencyKey(`"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`)).toBe(key);
    }),
    cases(500),
  );
});

test("Only replies that a repeated request would get again are stored", () => {
  const statuses = [200, 201, 204, 400, 401, 403, 404, 405, 409, 412, 413, 415, 421, 422, 429];
  const failures = [500, 503, 507];
  expect([...statuses, ...failures].filter(isStored)).toEqual([
    200, 201, 204, 400, 404, 412, 413, 415, 422,
  ]);
});
