import { describe, expect, test } from "bun:test";
import { savableUrl, whyNotSaved } from "../../../src/extension/save/savable.ts";

describe("A tab can be saved", () => {
  test("if it is a web page, also in Firefox's reader view", () => {
    expect(savableUrl("https://example.org/a")).toBe("https://example.org/a");
    expect(savableUrl("about:reader?url=https%3A%2F%2Fexample.org%2Fa")).toBe(
      "https://example.org/a",
    );
  });

  const REFUSED: readonly (readonly [string, string, string])[] = [
    [
      "Settings",
      "chrome://settings/",
      "“Settings” was not saved: it is a page of the browser or of an extension.",
    ],
    [
      "",
      "about:blank",
      "“about:blank” was not saved: it is a page of the browser or of an extension.",
    ],
    [
      "plan.pdf",
      "file:///home/ann/plan.pdf",
      "“plan.pdf” was not saved: it is a file on this computer, and other devices cannot open it.",
    ],
    [
      "A mark",
      "javascript:alert(1)",
      "“A mark” was not saved: addresses that begin with “javascript:” cannot be opened again.",
    ],
    ["", "", "“A new tab” was not saved: it has no address yet."],
    [
      "x",
      "about:reader?url=file%3A%2F%2F%2Fa",
      "“x” was not saved: it is a page of the browser or of an extension.",
    ],
  ];
  for (const [title, url, sentence] of REFUSED)
    test(`but not ${url || "an empty tab"}`, () => {
      expect(savableUrl(url)).toBeNull();
      expect(whyNotSaved(title, url)).toBe(sentence);
    });
});
