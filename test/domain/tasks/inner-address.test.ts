import { expect, test } from "bun:test";
import { innerAddress } from "../../../src/domain/tasks/inner-address.ts";

const SUSPENDER = "chrome-extension://klbibkeccnjlkjkiokjodocebajanakg/suspended.html";

test.each([
  ["a page's source", "view-source:https://a.example/x?y=1#z", "https://a.example/x?y=1#z"],
  [
    "Firefox's reader view",
    "about:reader?url=https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z%3D2",
    "https://a.example/x?y=1&z=2",
  ],
  [
    "a tab of the Great Suspender",
    `${SUSPENDER}#ttl=A&pos=0&uri=https://a.example/x?y=1&z=2#part`,
    "https://a.example/x?y=1&z=2#part",
  ],
  [
    "a tab of an heir of it, encoded",
    `${SUSPENDER}#ttl=A&uri=https%3A%2F%2Fa.example%2F`,
    "https://a.example/",
  ],
  [
    "a tab of Auto Tab Discard",
    "moz-extension://b0a6/suspend.html?url=https%3A%2F%2Fa.example%2Fx",
    "https://a.example/x",
  ],
  [
    "an address in the fragment",
    "chrome-extension://b0a6/park.html#https://a.example/x",
    "https://a.example/x",
  ],
  [
    "an address in the fragment, with an escape of its own",
    "chrome-extension://b0a6/park.html#https://a.example/x%2Fy%20z",
    "https://a.example/x%2Fy%20z",
  ],
  [
    "an encoded address in the fragment",
    "chrome-extension://b0a6/park.html#https%3A%2F%2Fa.example%2Fx%2520y",
    "https://a.example/x%20y",
  ],
  [
    "the source of reader view",
    "view-source:about:reader?url=https%3A%2F%2Fa.example%2F",
    "https://a.example/",
  ],
])("%s leads to the page's own address", (_name, address, url) => {
  expect(innerAddress(address).url).toBe(url);
});

test("a suspended tab's title is in its address", () => {
  expect(innerAddress(`${SUSPENDER}#ttl=Fl%C3%BCge&uri=https://a.example/`).title).toBe("Flüge");
});

test.each([
  ["a web page", "https://a.example/?url=https%3A%2F%2Fb.example%2F"],
  ["an extension's own page", "chrome-extension://b0a6/options.html#general"],
  ["a page of the browser", "about:config?filter=url"],
  ["an escape that is none", "chrome-extension://b0a6/x.html?url=%E0%A4%A"],
  ["no address", "words"],
])("%s stays as it is", (_name, address) => {
  expect(innerAddress(address)).toEqual({ url: address, title: null });
});
