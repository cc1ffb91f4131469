import { expect, test } from "bun:test";
import { BOOK, searchWorld, TAB } from "../_search.ts";

test.each([
  ["a word of the title", "rust"],
  ["words of the title in any order and case", "BOOK Rust"],
  ["a word of a tab's title", "chapter"],
  ["a part of a tab's address", "doc.example"],
  ["both sides of an encoded space", "borrow checker"],
  ["the whole address, also with the other scheme", TAB.url.replace("https", "http")],
  ["the address as it is read", "doc.example/borrow checker.html"],
  ["what stands behind its question mark", "lifetime"],
  ["a tab that is an address alone", "bare.example"],
  ["a word of a note", "bob"],
  ["words of all of them together", "rust chapter lifetime bob"],
  ["the beginning of a word", "chap"],
])("a task is found by %s", async (_name, q) => {
  const { device, find } = await searchWorld();
  await device("phone").push("t1", BOOK);
  await device("phone").push("t2", { title: "Buy milk" });
  expect(await find(q)).toEqual(["t1"]);
});

test.each([
  ["one word that it lacks", "rust milk"],
  ["the inside of a word", "ust"],
  ["two letters that begin a word", "ru"],
  ["words side by side that are not", "rust-read"],
  ["the scheme of an address", "https"],
  ["a field's name", "pages"],
  ["the number of its account", "1"],
])("a task is not found by %s", async (_name, q) => {
  const { device, find } = await searchWorld();
  await device("phone").push("t1", BOOK);
  expect(await find(q, { closed: true })).toEqual([]);
});
