import { describe, expect, test } from "bun:test";
import {
  isOwnPage,
  savableTitle,
  savableUrl,
  whyNotSaved,
} from "../../../src/extension/save/savable.ts";

describe("A tab can be saved", () => {
  test("if it is a web page, also in Firefox's reader view", () => {
    expect(savableUrl("https://example.org/a")).toBe("https://example.org/a");
    expect(savableUrl("about:reader?url=https%3A%2F%2Fexample.org%2Fa")).toBe(
      "https://example.org/a",
    );
  });

  const SUSPENDED =
    "chrome-extension://b0a6/suspended.html#ttl=A%20page&uri=https://a.example/?b=1&c=2";

  test("under its own address, if it is suspended or its source is shown", () => {
    expect(savableUrl(SUSPENDED)).toBe("https://a.example/?b=1&c=2");
    expect(savableUrl("view-source:https://a.example/")).toBe("https://a.example/");
  });

  test.each([
    ["A title", SUSPENDED, "A title"],
    ["Suspended Tab", SUSPENDED, "A page"],
    ["", SUSPENDED, "A page"],
    [SUSPENDED, SUSPENDED, "A page"],
    ["view-source:a.example/", "view-source:https://a.example/", null],
    ["a.example/x", "https://a.example/x", null],
    ["A title", "https://a.example/x", "A title"],
  ])("called “%s” at %s is saved as “%s”", (title, url, saved) => {
    expect(savableTitle(title, url)).toBe(saved);
  });

  test("unless it is a page of the server itself, and a window is saved", () => {
    const server = "https://docket.example.org";
    expect(isOwnPage("https://docket.example.org/tasks?x", server)).toBe(true);
    expect(isOwnPage("view-source:https://docket.example.org/", server)).toBe(true);
    expect(isOwnPage("https://docket.example.org.evil.example/", server)).toBe(false);
    expect(isOwnPage("https://docket.example.org/", null)).toBe(false);
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
