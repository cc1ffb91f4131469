import { describe, expect, test } from "bun:test";
import { CHROME_COMMANDS, FIREFOX_COMMANDS } from "../../../src/extension/browser/commands.ts";

type Keys = Record<"default" | "mac", string>;

const keysOf = (commands: object) =>
  (Object.values(commands) as readonly { readonly suggested_key?: Readonly<Keys> }[]).flatMap(
    ({ suggested_key }) => suggested_key ?? [],
  );

describe("The keys", () => {
  // Alt+Shift and a letter: Chrome's own for tab groups, toolbars, the infobar and feedback, and Edge's for its panes.
  const CHROMES = ["A", "B", "C", "F", "I", "N", "P", "T", "W", "X", "Z"];
  // ChromeOS: the status area and the shelf.
  const CHROME_OS = ["L", "S"];
  // The menus of Firefox 153, as its language packs have them.
  const MENUS = {
    cs: "SAZHONV",
    de: "DBACLXH",
    en: "FEVSBTH",
    es: "AEVSMTU",
    fr: "FNAHMOE",
    hu: "FZNMKES",
    it: "FMVCESA",
    nl: "BWLGAXH",
    pl: "PEWHZNC",
    pt: "AEXHVFU",
    sv: "ARSOBVH",
  };
  const TAKEN = [...CHROMES, ...CHROME_OS, ...Object.values(MENUS).join("")];

  test("are as many as Chrome accepts", () => {
    expect(keysOf(CHROME_COMMANDS).length).toBeLessThanOrEqual(4);
  });

  test("clash with none of the browsers' own, nor with one another", () => {
    const keys = keysOf(FIREFOX_COMMANDS);
    expect(keys).toEqual(expect.arrayContaining(keysOf(CHROME_COMMANDS)));
    expect(new Set(keys.map((key) => key.default)).size).toBe(keys.length);
    for (const { default: usual, mac } of keys) {
      expect(usual).toMatch(/^Alt\+Shift\+([A-Z]|Comma|Period)$/);
      expect(TAKEN).not.toContain(usual.replace("Alt+Shift+", ""));
      expect(mac).toBe(usual.replace("Alt", "MacCtrl"));
    }
  });
});
