import { expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import { ipVersion } from "../../../src/domain/base/ip.ts";
import { cases } from "../../support/random.ts";

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
  "::3:",
  "::3:%e",
  "2001:db8:1:2::192.0.2.33",
  "",
  "localhost",
  "0x7f.1",
  "2130706433",
])("%p has the same IP version here as in node:net", same);

test("Any text has the same IP version here as in node:net", () => {
  const group = fc.constantFrom("0", "1", "ff", "fFfF", "12345", "", "1.2.3.4", "255", "256", "%e");
  const written = fc
    .array(group, { maxLength: 9 })
    .chain((groups) => fc.constantFrom(":", ".", "::").map((between) => groups.join(between)));
  const texts = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), written);
  fc.assert(fc.property(texts, same), cases(2_000));
});
