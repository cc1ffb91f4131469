import { expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import { ipVersion } from "../src/ip.ts";
import { cases } from "./_random.ts";

const same = (text: string): void =>
  expect([text, ipVersion(text) ?? 0]).toEqual([text, isIP(text)]);

test.each([
  "127.0.0.1",
  "0.0.0.0",
  "255.255.255.255",
  "256.0.0.1",
  "1.2.3",
  "1.2.3.4.5",
  "1.2.3.4.",
  "01.2.3.4",
  "1.2.3.04",
  "1..2.3",
  " 1.2.3.4",
  "::",
  "::1",
  "1::",
  "fe80::1%eth0",
  "fe80::1%",
  "::ffff:1.2.3.4",
  "::ffff:1.2.3.256",
  "1:2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7:8:9",
  "1:2:3:4:5:6:7",
  "1::2::3",
  "12345::",
  "g::1",
  "[::1]",
  "::1]/x",
  "",
  "localhost",
  "0x7f.1",
  "2130706433",
])("%p is the address that node takes it for", same);

/** Of those that mix both notations URLs take not all, so nobody can call by them. */
const check = (text: string): void => {
  if (!/:.*\./.test(text) || ipVersion(text) !== null) same(text);
};

test("any text is the address that node takes it for, or none where both notations are mixed", () => {
  const group = fc.constantFrom("0", "1", "ff", "fFfF", "12345", "", "1.2.3.4", "255", "256", "%e");
  const written = fc
    .array(group, { maxLength: 9 })
    .chain((groups) => fc.constantFrom(":", ".", "::").map((between) => groups.join(between)));
  const texts = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), written);
  fc.assert(fc.property(texts, check), cases(2_000));
});
