import { describe, expect, test } from "bun:test";
import { titleFor } from "../../../src/extension/save/place.ts";
import { whyNotSaved } from "../../../src/extension/save/savable.ts";
import { titleOf } from "../../../src/extension/save/tabs.ts";

const tab = (title: string, active = false) => ({ title, active, url: "https://example.org/" });

describe("A title that is too long ends with an ellipsis, between two characters:", () => {
  const long = `${"x".repeat(119)}😀 tail`;

  test("the name of a window's task", () => {
    expect(titleFor([tab(long), tab("Other")])).toBe(`${"x".repeat(119)}… and 1 more`);
    expect(titleFor([tab("Other"), tab("Trip", true)])).toBe("Trip and 1 more");
  });

  test("a tab's title", () => {
    expect(titleOf(`${"x".repeat(498)}👨‍👩‍👧‍👦`)).toBe(`${"x".repeat(498)}…`);
    expect(titleOf("x".repeat(500))).toBe("x".repeat(500));
    expect(titleOf("")).toBeNull();
  });

  test("the title of a tab that cannot be saved", () => {
    expect(whyNotSaved(`${"x".repeat(79)}🇵🇹`, "chrome://settings/")).toBe(
      `“${"x".repeat(79)}…” was not saved: it is a page of the browser or of an extension.`,
    );
  });
});
