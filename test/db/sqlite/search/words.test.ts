import { expect, test } from "bun:test";
import { BOOK, searchWorld, TAB } from "../../../support/db/search.ts";

test.each([
  ["a word of the title", "rust"],
  ["words of the title in any order and case", "BOOK Rust"],
  ["a word of a tab's title", "chapter"],
  ["a part of a tab's URL", "doc.example"],
  ["both sides of an encoded space", "borrow checker"],
  ["the whole URL, even with the other scheme", TAB.url.replace("https", "http")],
  ["the URL as people read it", "doc.example/borrow checker.html"],
  ["what follows its question mark", "lifetime"],
  ["a tab that is only a URL", "bare.example"],
  ["a word of a note", "bob"],
  ["words from all of them together", "rust chapter lifetime bob"],
  ["the beginning of a word", "chap"],
])("A search finds a task by %s", async (_name, q) => {
  const { device, find } = await searchWorld();
  await device("phone").push("t1", BOOK);
  await device("phone").push("t2", { title: "Buy milk" });
  expect(await find(q)).toEqual(["t1"]);
});

test.each([
  ["one word that it does not have", "rust milk"],
  ["the inside of a word", "ust"],
  ["the first two letters of a word", "ru"],
  ["words that are adjacent only in the query", "rust-read"],
  ["the scheme of a URL", "https"],
  ["a field's name", "pages"],
  ["the number of its account", "1"],
])("A search does not find a task by %s", async (_name, q) => {
  const { device, find } = await searchWorld();
  await device("phone").push("t1", BOOK);
  expect(await find(q, { closed: true })).toEqual([]);
});
