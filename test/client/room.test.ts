import { describe, expect, test } from "bun:test";
import { hasRoom, isTooLarge } from "../../src/client/rank.ts";
import { MAX_PAYLOAD } from "../../src/domain/base/payload.ts";

const sized = (bytes: number) => ({ filler: "x".repeat(bytes - '{"filler":""}'.length) });
const MOST = MAX_PAYLOAD - 16 * 1024;

describe("A task has room for more", () => {
  test("as long as the server takes it with that, and with some small edits", () => {
    expect(hasRoom(sized(MOST - 2))).toBe(true);
    expect(hasRoom(sized(MOST - 1))).toBe(false);
    expect(hasRoom(sized(MOST - 300), ["https://example.org/"])).toBe(true);
    expect(hasRoom(sized(MOST - 100), ["https://example.org/"])).toBe(false);
  });

  test("counted in bytes, of which a character can have several", () => {
    const text = "ü".repeat(MAX_PAYLOAD / 2 - 100);
    expect(hasRoom({ text })).toBe(false);
    expect(isTooLarge({ text })).toBe(false);
    expect(isTooLarge({ text: `${text}${"ü".repeat(100)}` })).toBe(true);
  });
});
