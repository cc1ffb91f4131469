import { expect, test } from "bun:test";
import {
  deviceIn,
  eachOnce,
  isSameTag,
  spelledAs,
  tagKey,
} from "../../../src/domain/tasks/tags.ts";

test.each([
  ["the case", "Work", "wORK"],
  ["composed and decomposed letters", "caf\u00E9", "Cafe\u0301"],
  ["the two forms of a small sigma", "ΟΔΟΣ", "οδος"],
  ["a sigma that is not at the end", "οδοσ", "οδος"],
  ["a sharp s and its capital", "Straße", "STRASSE"],
  ["a capital sharp s", "STRAẞE", "straße"],
  ["a dotless i and its capital", "SINIF", "sınıf"],
  ["a dotted capital i, composed and not", "\u0130zmir", "I\u0307ZMIR"],
  ["marks in another order", "a\u0323\u0302", "\u1EAD"],
  ["Korean letters", "\uD55C", "\u1112\u1161\u11AB"],
])("Tags are equal whatever %s", (_name, a, b) => {
  expect(isSameTag(a, b)).toBe(true);
});

test.each([
  ["another letter", "Work", "Worm"],
  ["an accent", "cafe", "café"],
  ["a compatibility form", "x²", "x2"],
  ["blanks", "to do", "todo"],
])("Tags differ by %s", (_name, a, b) => {
  expect(isSameTag(a, b)).toBe(false);
});

test("The key of a key is that key, for every letter, in every form", () => {
  const others: string[] = [];
  for (let code = 0; code < 0x30000; code += 1) {
    const tag = `a${String.fromCodePoint(code)}b`;
    const forms = [tagKey(tag), tag.normalize("NFD"), tag.toUpperCase(), tag.toLowerCase()];
    if (forms.some((form) => tagKey(form) !== tagKey(tag))) others.push(tag);
  }
  expect(others).toEqual([]);
});

test("Each tag is there once, in its first spelling and place", () => {
  expect(eachOnce(["Work", "home", "WORK", "Cafe\u0301", "caf\u00E9"])).toEqual([
    "Work",
    "home",
    "Cafe\u0301",
  ]);
});

test("A tag that is there keeps the spelling that it has there", () => {
  expect(spelledAs(["work", "new", "CAF\u00C9"], [5, "Work", "cafe\u0301"])).toEqual([
    "Work",
    "new",
    "cafe\u0301",
  ]);
});

test("A tag names a device in any case, and only after the colon", () => {
  expect(["device:Laptop", "DEVICE:Laptop"].map(deviceIn)).toEqual(["Laptop", "Laptop"]);
  expect(["device:", "devices:Laptop", "my device:Laptop"].map(deviceIn)).toEqual([
    null,
    null,
    null,
  ]);
});
