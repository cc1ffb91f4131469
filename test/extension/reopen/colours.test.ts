import { expect, test } from "bun:test";
import { groupColour } from "../../../src/extension/reopen/group.ts";

test("A group gets the browser's colour that is like the saved one, if there is one", () => {
  expect(["teal", "Blue", "gray", "#ff0000", null].map(groupColour)).toEqual([
    "cyan",
    "blue",
    "grey",
    null,
    null,
  ]);
});
