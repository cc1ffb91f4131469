import { expect, test } from "bun:test";
import { join } from "node:path";
import { hexColour, knownColour, nearestName, SHADES } from "../../../src/domain/tasks/colour.ts";

test("a colour is known by its name, in any case, and by other clients' names for it", () => {
  const texts = ["red", "PINK", "gray", "cyan", "constructor", "", "#f00", null];
  expect(texts.map(knownColour)).toEqual(["red", "pink", "grey", "teal", null, null, null, null]);
});

test("only three or six hexadecimal digits are a colour that can be drawn", () => {
  const texts = ["#abc", "#AABBCC", "#ab", "#abcd", "abc", "#ggg", "red", "#abc;x", null];
  expect(texts.filter((text) => hexColour(text) !== null)).toEqual(["#abc", "#AABBCC"]);
});

test("each of our colours has its own name, and others have the nearest one", () => {
  for (const [name, shade] of Object.entries(SHADES)) expect(nearestName(shade)).toBe(name);
  const others = [
    "#f00",
    "#fff",
    "#000",
    "#777",
    "#ff8000",
    "#00f",
    "#808000",
    "#ff00fe",
    "#fe0010",
  ];
  expect(others.map(nearestName)).toEqual([
    "red",
    "white",
    "black",
    "grey",
    "orange",
    "blue",
    "yellow",
    "pink",
    "red",
  ]);
});

test("the app draws these colours too", async () => {
  const sheet = join(import.meta.dir, "../../../src/ui/style/controls.css");
  const rules = (await Bun.file(sheet).text()).matchAll(/\.c-(\w+) \{\s*--dot: (#\w+);/g);
  expect(Object.fromEntries([...rules].map(([, name, shade]) => [name, shade]))).toEqual(SHADES);
});
