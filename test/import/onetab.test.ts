import { expect, test } from "bun:test";
import { finish } from "../../src/import/finish.ts";
import { readOneTab } from "../../src/import/formats/onetab.ts";

const read = (text: string) => {
  const parsed = readOneTab({ name: "", text });
  if (!parsed) return null;
  const { tasks, skipped } = finish(parsed);
  return {
    groups: tasks.map(({ title, tabs }) => ({
      title,
      tabs: tabs.map(({ url, title: own }) => ({ url, title: own })),
    })),
    skipped: skipped.map(({ what, reason }) => ({ what, reason })),
  };
};

const ROSES = "https://garden.example.org/roses";

test("OneTab's export has a group for each block of lines, with the titles of its tabs", () => {
  const text = [
    `\uFEFF${ROSES} | Pruning old roses | a slow guide`,
    "https://garden.example.org/soil?ph=6.5#lime | Soil  for\tbeginners",
    "",
    "   ",
    "https://video.example.org/watch?v=a|b | Bees in winter",
    "",
    "https://stay.example.org/porto",
    "https://stay.example.org/untitled | ",
    "https://stay.example.org/bare Bare title",
  ].join("\r\n");
  expect(read(text)).toEqual({
    groups: [
      {
        title: "Pruning old roses | a slow guide (+1)",
        tabs: [
          { url: ROSES, title: "Pruning old roses | a slow guide" },
          { url: "https://garden.example.org/soil?ph=6.5#lime", title: "Soil for beginners" },
        ],
      },
      {
        title: "Bees in winter",
        tabs: [{ url: "https://video.example.org/watch?v=a|b", title: "Bees in winter" }],
      },
      {
        title: "https://stay.example.org/porto (+2)",
        tabs: [
          { url: "https://stay.example.org/porto", title: "https://stay.example.org/porto" },
          { url: "https://stay.example.org/untitled", title: "https://stay.example.org/untitled" },
          { url: "https://stay.example.org/bare", title: "Bare title" },
        ],
      },
    ],
    skipped: [],
  });
});

test("A suspended tab has the address and title of its page", () => {
  const page =
    "chrome-extension://klbi/suspended.html#ttl=Fl%C3%BCge&uri=https://fly.example/?a=1&b=2#c";
  expect(read(`${page} | Suspended Tab`)?.groups).toEqual([
    { title: "Flüge", tabs: [{ url: "https://fly.example/?a=1&b=2#c", title: "Flüge" }] },
  ]);
});

test("What cannot be a tab is skipped, with the reason", () => {
  const long = `https://long.example/?q=${"x".repeat(8_192)}`;
  const text = [
    `${ROSES} | Roses`,
    `${ROSES} | Roses again`,
    "chrome://extensions/ | Extensions",
    "https:// | No host",
    `${long} | Long`,
    "Words",
    "",
    "javascript:alert(1) | A small tool",
  ].join("\n");
  expect(read(text)).toEqual({
    groups: [{ title: "Roses", tabs: [{ url: ROSES, title: "Roses" }] }],
    skipped: [
      { what: "Words", reason: "text" },
      { what: ROSES, reason: "duplicate" },
      { what: "chrome://extensions/", reason: "unsupported" },
      { what: "https://", reason: "invalid" },
      { what: `${long.slice(0, 199)}…`, reason: "too_long" },
      { what: "javascript:alert(1)", reason: "unsupported" },
      { what: "", reason: "empty_group" },
    ],
  });
});

test("A title has up to 500 characters, and ends in an ellipsis where it was longer", () => {
  const [group] = read(`${ROSES} | ${"T".repeat(501)}`)?.groups ?? [];
  expect(group?.tabs[0]?.title).toBe(`${"T".repeat(499)}…`);
});

test.each([
  ["plain addresses", "https://a.example/\nhttps://b.example/"],
  ["words", "Buy milk | eggs"],
  ["a list", "- https://a.example/ | A"],
  ["a text with a heading", "# Links\nhttps://a.example/ | A"],
  ["nothing", ""],
])("%s are not OneTab's export", (_name, text) => {
  expect(read(text)).toBeNull();
});
