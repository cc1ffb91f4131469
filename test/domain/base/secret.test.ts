import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  cryptoRandom,
  digestSecret,
  mintSecret,
  type Random,
  secretHint,
  secretKind,
  withoutSecrets,
} from "../../../src/domain/base/secret.ts";
import { dice } from "../../support/random.ts";

const KINDS = ["live", "sess", "page", "code"] as const;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const seeded = (seed: number): Random => {
  const roll = dice(seed);
  return (count) => Uint8Array.from({ length: count }, () => roll(256));
};

test.each([
  ["live", /^docket_live_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/],
  ["sess", /^docket_sess_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/],
  ["page", /^docket_page_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/],
  ["code", /^docket_code_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/],
] as const)("A secret of kind %s has its prefix, 32 characters and a checksum", (kind, format) => {
  const secret = mintSecret(kind, cryptoRandom);
  expect(secret).toMatch(format);
  expect(secret).toHaveLength(50);
  expect(secretKind(secret)).toBe(kind);
});

test("The checksum is the CRC32 of everything before it, in six base62 characters", () => {
  for (const kind of KINDS) {
    const secret = mintSecret(kind, seeded(1));
    const digits = Array.from(secret.slice(-6), (character) => BASE62.indexOf(character));
    const value = digits.reduce((sum, digit) => sum * 62 + digit, 0);
    expect(value).toBe(Bun.hash.crc32(secret.slice(0, -6)));
  }
});

const zeros: Random = (count) => new Uint8Array(count);

test("The format never changes, because people's secrets must keep working", () => {
  expect(mintSecret("live", zeros)).toBe(`docket_live_${"0".repeat(32)}3JMJLQ`);
  expect(mintSecret("sess", zeros)).toBe(`docket_sess_${"0".repeat(32)}3nHgA8`);
  expect(mintSecret("page", zeros)).toBe(`docket_page_${"0".repeat(32)}2iyZCv`);
  expect(mintSecret("code", zeros)).toBe(`docket_code_${"0".repeat(32)}2tfHg3`);
});

test("Changing any one character is noticed", () => {
  const others = [...BASE62, "_", "-", " ", ".", "é", "\0", "\n"];
  for (const kind of KINDS) {
    const secret = mintSecret(kind, seeded(2));
    for (let at = 0; at < secret.length; at++) {
      for (const other of others) {
        if (other === secret[at]) continue;
        const changed = secret.slice(0, at) + other + secret.slice(at + 1);
        expect([at, other, secretKind(changed)]).toEqual([at, other, null]);
      }
    }
  }
});

test("Swapping two neighbouring characters is noticed", () => {
  const secret = mintSecret("live", seeded(3));
  for (let at = 0; at + 1 < secret.length; at++) {
    const swapped =
      secret.slice(0, at) + secret.charAt(at + 1) + secret.charAt(at) + secret.slice(at + 2);
    if (swapped !== secret) expect(secretKind(swapped)).toBeNull();
  }
});

test("Changing only its prefix never makes a secret pass for another kind", () => {
  for (const kind of KINDS)
    for (const other of KINDS) {
      const secret = mintSecret(kind, seeded(4)).replace(kind, other);
      expect([kind, other, secretKind(secret)]).toEqual([
        kind,
        other,
        kind === other ? kind : null,
      ]);
    }
});

const example = mintSecret("live", seeded(5));

test.each([
  ["nothing", ""],
  ["only a prefix", "docket_live_"],
  ["one character too few", example.slice(0, -1)],
  ["one character too many", `${example}0`],
  ["a space before it", ` ${example}`],
  ["a line end after it", `${example}\n`],
  ["another letter case", example.toUpperCase()],
  ["another program's prefix", example.replace("docket", "pocket")],
  ["another kind", example.replace("live", "test")],
  ["a very long text", "docket_live_".repeat(100_000)],
])("%s is not a secret", (_name, text) => {
  expect(secretKind(text)).toBeNull();
});

test("Each of the 62 characters is equally likely", () => {
  const random = seeded(6);
  const counts = new Map([...BASE62].map((character) => [character, 0]));
  const drawn = 20_000 * 32;
  for (let i = 0; i < 20_000; i++)
    for (const character of mintSecret("live", random).slice(12, 44))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  const expected = drawn / 62;
  const chiSquare = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  // With 61 degrees of freedom, a fair draw exceeds 110 once in ten thousand times. Taking bytes
  // modulo 62 would favour eight characters by a quarter, and give more than 4,000 here.
  expect(chiSquare).toBeLessThan(110);
});

test("Bytes that would favour a character are drawn again", () => {
  let calls = 0;
  const random: Random = (count) => new Uint8Array(count).fill(calls++ === 0 ? 255 : 61);
  expect(mintSecret("live", random).slice(12, 44)).toBe("z".repeat(32));
  expect(calls).toBe(2);
});

test("No two of a hundred thousand secrets are alike", () => {
  const secrets = new Set<string>();
  for (let i = 0; i < 100_000; i++) secrets.add(mintSecret("sess", cryptoRandom).slice(12, 44));
  expect(secrets.size).toBe(100_000);
});

test("Only a secret's SHA-256 is stored, and its hint shows only its ends", () => {
  const secret = `docket_live_${"0".repeat(32)}3JMJLQ`;
  expect(digestSecret(secret).toString("hex")).toBe(
    createHash("sha256").update(secret).digest("hex"),
  );
  expect(digestSecret(secret)).toHaveLength(32);
  expect(secretHint(secret)).toBe("docket_live_0000…MJLQ");
});

test("A percent-encoded secret is cut too, and other escapes stay as they are", () => {
  const secret = mintSecret("live", seeded(7));
  const percent = secret.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  const ways = [
    secret.replace("k", "%6b"),
    secret.replace("k", "%6B"),
    secret.replaceAll("_", "%255f"),
    percent,
    percent.replaceAll("%", `%${"25".repeat(1_000)}`),
    percent.replaceAll("%6", "%%36"),
  ];
  for (const way of ways) expect(withoutSecrets(`/é/${way}/x`)).toBe(`/é/${secretHint(secret)}/x`);
  expect(withoutSecrets("/a%20b%2Fc%/%zz")).toBe("/a%20b%2Fc%/%zz");
});

test("A secret that a slash splits is cut, and a path after a whole one stays", () => {
  const secret = mintSecret("live", seeded(9));
  const hint = secretHint(secret);
  const split = (...places: readonly number[]) =>
    places.toReversed().reduce((text, at) => `${text.slice(0, at)}/${text.slice(at)}`, secret);
  for (const places of [[20], [30], [46], [18, 36], [14, 15, 40]])
    for (const slash of ["/", "%2F", "%252f"]) {
      const way = split(...places).replaceAll("/", slash);
      expect(withoutSecrets(`/tasks/${way}/notes`)).toBe(`/tasks/${hint}/notes`);
    }
  expect(withoutSecrets(`/tasks/${secret}/notes/more`)).toBe(`/tasks/${hint}/notes/more`);
  expect(withoutSecrets("/docket_live_/notes")).toBe("/docket_live_/notes");
});

test("A secret that lost its end is cut as well, and so is one without its prefix", () => {
  const secret = mintSecret("live", seeded(9));
  const body = secret.slice(12);
  const hint = `${body.slice(0, 4)}…${body.slice(-4)}`;
  for (const length of [32, 40, 49]) {
    const short = secret.slice(0, length);
    expect(withoutSecrets(`/tasks/${short}/notes`)).toBe(`/tasks/${secretHint(short)}/notes`);
  }
  for (const before of ["", "docket-live-", "docket%C1%9Flive%C1%9F"])
    expect(withoutSecrets(`/tasks/${before}${body}`)).toBe(`/tasks/${before}${hint}`);
  const id = "a".repeat(38);
  expect(withoutSecrets(`/tasks/${id}`)).toBe(`/tasks/${id}`);
});

test("A path that is nothing but escapes takes no time to look through", () => {
  const path = `/${"%25".repeat(1_000_000)}`;
  const before = performance.now();
  expect(withoutSecrets(path)).toBe(path);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test("Secrets inside any text are cut to their ends", () => {
  for (const kind of KINDS) {
    const secret = mintSecret(kind, seeded(7));
    const text = `x${secret}y /tasks/${secret}?q=${secret},${secret}`;
    const hint = secretHint(secret);
    expect(withoutSecrets(text)).toBe(`x${hint}y /tasks/${hint}?q=${hint},${hint}`);
  }
  expect(withoutSecrets("docket_live_ and docket_page_short")).toBe(
    "docket_live_ and docket_page_short",
  );
});
