import { expect, test } from "bun:test";
import { markdownLink, splitLinks, tasksAsMarkdown } from "../../src/ui/words/links.ts";
import { sharedLinks } from "../../src/ui/words/shared.ts";
import { draftsOf } from "../../src/ui/words/drafts.ts";

const RUST = "https://en.wikipedia.org/wiki/Rust_(programming_language)";
const MEDIC = "https://fr.wikipedia.org/wiki/Klaus_Conrad_(m%C3%A9decin)";
const A = "https://a.example/x";

/** A text, the addresses in it, and the words beside them. */
const CASES: readonly (readonly [string, readonly string[], string])[] = [
  // An address that is the whole text is kept exactly.
  [RUST, [RUST], ""],
  [MEDIC, [MEDIC], ""],
  [`${A}.`, [`${A}.`], ""],
  [`${A};`, [`${A};`], ""],
  [`${A},`, [`${A},`], ""],
  [`${A}!`, [`${A}!`], ""],
  [`${A}?`, [`${A}?`], ""],
  [`${A})`, [`${A})`], ""],
  ["https://a.example/[1]/{b}", ["https://a.example/[1]/{b}"], ""],
  ["https://a.example/?q='a'|b*", ["https://a.example/?q='a'|b*"], ""],
  ["HTTPS://A.example/Ü?ß#ä", ["HTTPS://A.example/Ü?ß#ä"], ""],
  ["http://[::1]:3625/tasks", ["http://[::1]:3625/tasks"], ""],
  [
    "https://ja.wikipedia.org/wiki/東京（曖昧さ回避）",
    ["https://ja.wikipedia.org/wiki/東京（曖昧さ回避）"],
    "",
  ],
  [
    "https://web.archive.org/web/2020/https://a.example/",
    ["https://web.archive.org/web/2020/https://a.example/"],
    "",
  ],
  // As is one that is marked as an address.
  [`<${A}.>`, [`${A}.`], ""],
  [`see <${A};> now`, [`${A};`], "see now"],
  [`[Rust](${RUST})`, [RUST], ""],
  [`[Rust](${A}.)`, [`${A}.`], ""],
  [`[Rust](<${A}(>)`, [`${A}(`], ""],
  [`[Rust](<${A} y>)`, [`${A} y`], ""],
  [String.raw`[Rust](https://a.example/\(x)`, ["https://a.example/(x"], ""],
  [`[Rust](${RUST} "A language")`, [RUST], ""],
  [`Read [the book](${RUST}).`, [RUST], "Read the book."],
  [`[a](${A}), [b](${RUST})`, [A, RUST], ""],
  [`see ${A} and [b](${RUST}) and ${A}y`, [A, RUST, `${A}y`], "see and b and"],
  // In a sentence, its punctuation and brackets are no part.
  [`See ${A}.`, [A], "See"],
  [`See ${A}, then rest`, [A], "See then rest"],
  [`Have you read ${A}?`, [A], "Have you read"],
  [`Read ${A}!!`, [A], "Read"],
  [`(${A})`, [A], ""],
  [`Read this (${A}).`, [A], "Read this"],
  [`(see ${RUST})`, [RUST], "(see )"],
  [`See ${RUST}, then rest`, [RUST], "See then rest"],
  [`See ${RUST}.`, [RUST], "See"],
  [`[see ${A}]`, [A], "[see ]"],
  [`{${A}}`, [A], ""],
  [`"${A}"`, [A], ""],
  [`'${A}'`, [A], ""],
  [`**${A}**`, [A], ""],
  [`\`${A}\``, [A], ""],
  [`“${A}”`, [A], ""],
  [`«${A}»`, [A], ""],
  [`${A} - Page title`, [A], "Page title"],
  [`Page title – ${A}`, [A], "Page title"],
  [`${A}, ${RUST}`, [A, RUST], ""],
  [`(${A}),(${RUST})`, [A, RUST], ""],
  [`| ${A} | words |`, [A], "words"],
  // Chinese and Japanese write no space.
  [`${A}。`, [A], ""],
  [`請看${A}。謝謝`, [A], "請看 謝謝"],
  [`${A}、${RUST}`, [A, RUST], ""],
  [`${A}，${RUST}；${MEDIC}`, [A, RUST, MEDIC], ""],
  [`「${A}」を読む`, [A], "を読む"],
  [`『${A}』`, [A], ""],
  [`（${A}）`, [A], ""],
  [`詳細（${RUST}）を見る`, [RUST], "詳細 を見る"],
  [`${A}（参照）`, [A], "（参照）"],
  [`【${A}】`, [A], ""],
  [`《${A}》`, [A], ""],
  [`看 ${A}！`, [A], "看"],
  [`${A}　全角`, [A], "全角"],
  // Another's address of the page leads to the page.
  ["view-source:https://a.example/x", [A], ""],
  ["about:reader?url=https%3A%2F%2Fa.example%2Fx", [A], ""],
  // No links.
  ["https://", [], "https://"],
  ["Buy  milk (2 l) - now", [], "Buy milk (2 l) - now"],
  ["javascript:alert(1)", [], "javascript:alert(1)"],
  ["[x](javascript:alert(1))", [], "[x](javascript:alert(1))"],
  ["ftp://a.example/", [], "ftp://a.example/"],
];

test.each(CASES)("In %s", (text, urls, title) => {
  const split = splitLinks(text);
  expect(split.links.map(({ url }) => url)).toEqual([...urls]);
  expect(split.title).toBe(title);
});

test.each([
  ["Markdown", `[The [old] book](${A})`, "The [old] book"],
  ["escaped Markdown", String.raw`[a \[b\] \\ c](https://a.example/x)`, String.raw`a [b] \ c`],
  ["OneTab", `${A} | Page | with a bar`, "Page | with a bar"],
])("A title in %s is kept", (_name, text, title) => {
  expect(splitLinks(text)).toEqual({ title: "", links: [{ url: A, title }] });
});

/** The fields that an app shares, and what is saved. */
test.each([
  ["an address alone", { url: RUST, title: "Rust" }, [{ url: RUST, title: "Rust" }]],
  ["an address as text", { text: `${A}.`, title: "T" }, [{ url: `${A}.`, title: "T" }]],
  ["an address as title", { title: RUST }, [{ url: RUST }]],
  ["words and an address", { text: `A film: ${A}` }, [{ url: A, title: "A film:" }]],
  ["words, a line, an address", { text: `“A film”\n\n${A}` }, [{ url: A, title: "“A film”" }]],
  [
    "the address twice",
    { url: `${A}.`, text: `See ${A}.`, title: "T" },
    [{ url: `${A}.`, title: "T" }],
  ],
  ["the address as text and title", { text: MEDIC, title: MEDIC }, [{ url: MEDIC }]],
  ["words in the address", { url: `Look: ${A}` }, [{ url: A, title: "Look:" }]],
  [
    "a title with an address",
    { url: RUST, title: `Why ${A}?` },
    [{ url: RUST, title: `Why ${A}?` }],
  ],
  ["two addresses", { url: A, text: RUST, title: "T" }, [{ url: A }, { url: RUST }]],
  [
    "signs of other languages",
    { url: "https://a.example/#「x」。" },
    [{ url: "https://a.example/#「x」。" }],
  ],
  ["a page's source", { url: `view-source:${A}` }, [{ url: A }]],
  ["no address", { text: "Buy milk", title: "T" }, []],
])("Another app shares %s", (_name, fields: Readonly<Record<string, string>>, links) => {
  expect(sharedLinks(new URLSearchParams(fields))).toEqual(links);
});

const ADDRESSES = [
  RUST,
  MEDIC,
  `${A}.`,
  `${A})`,
  `${A}((`,
  `${A})(`,
  "https://a.example/a b",
  "https://a.example/<b>",
  String.raw`https://a.example/\(x`,
  "https://a.example/「x」。",
  "https://a.example/[x](y)",
  "https://a.example/a|b | c",
];
const TITLES = [
  "Plain",
  "[x] (y) [z",
  String.raw`back\slash \[`,
  "a | b",
  "*bold* _it_ `c` <d>",
  A,
  "📌 pinned",
];

test.each(ADDRESSES.flatMap((url) => TITLES.map((title) => ({ url, title }))))(
  "A link copied as Markdown is the same when it is pasted: $url, $title",
  (link) => {
    expect(splitLinks(`- ${markdownLink(link)}`.slice(2)).links).toEqual([link]);
  },
);

const drafts = (text: string) =>
  draftsOf(text).map(({ title, links, notes, status }) => [
    title,
    links.map(({ url, title: name }) => (name === undefined ? url : `${name} ${url}`)),
    ...(notes.length > 0 ? [notes] : []),
    ...(status ? [status] : []),
  ]);

test.each([
  [
    "links alone are one task",
    "https://a.example/\nhttps://b.example/",
    [["", ["https://a.example/", "https://b.example/"]]],
  ],
  [
    "an empty line between links parts two tasks",
    "https://a.example/\nhttps://b.example/\n\nhttps://c.example/",
    [
      ["", ["https://a.example/", "https://b.example/"]],
      ["", ["https://c.example/"]],
    ],
  ],
  [
    "links belong to the words above",
    "Buy milk\n\n- https://a.example/.\n- [x] Call Bob\n[B](https://b.example/)\n- [-] Sell",
    [
      ["Buy milk", ["https://a.example/."]],
      ["Call Bob", ["B https://b.example/"], "done"],
      ["Sell", [], "cancelled"],
    ],
  ],
  [
    "a heading names the links below it",
    "# Rust\n- 📌 [A](https://a.example/)\n1. https://b.example/",
    [["Rust", ["A https://a.example/", "https://b.example/"]]],
  ],
  [
    "OneTab's groups are tasks",
    "https://a.example/1 | First\nhttps://a.example/2 | Second\n\nhttps://b.example/ | Other",
    [
      ["First (+1)", ["First https://a.example/1", "Second https://a.example/2"]],
      ["Other", ["Other https://b.example/"]],
    ],
  ],
  [
    "words between OneTab's lines stay",
    "Buy milk\nhttps://a.example/1 | First\nhttps://a.example/2 | Second",
    [["Buy milk", ["First https://a.example/1", "Second https://a.example/2"]]],
  ],
  ["one line keeps its number", "2. Draft", [["2. Draft", []]]],
  ["one line with a box loses it", "- [ ] Draft", [["Draft", []]]],
  ["a title of one line keeps its backslashes", String.raw`C:\_x`, [[String.raw`C:\_x`, []]]],
])("Of a text that is pasted, %s", (_name, text, expected: readonly unknown[]) => {
  expect(drafts(text)).toEqual([...expected] as never);
});

test("What one task cannot take goes on in the next", () => {
  const lines = Array.from({ length: 1_200 }, (_, at) => `https://a.example/${at} | Page ${at}`);
  expect(draftsOf(lines.join("\n")).map(({ title, links }) => [title, links.length])).toEqual([
    ["Page 0 (+1199)", 500],
    ["Page 0 (+1199) (2)", 500],
    ["Page 0 (+1199) (3)", 200],
  ]);
  const long = Array.from(
    { length: 200 },
    (_, at) => `https://a.example/${at}?${"ü".repeat(3_000)}`,
  );
  expect(draftsOf(long.join("\n")).map(({ links }) => links.length)).toEqual([127, 73]);
});

test("Tasks copied as Markdown are the same tasks when they are pasted", () => {
  const links = ADDRESSES.map((url, at) => ({ url, title: TITLES[at % TITLES.length] ?? "" }));
  const tasks = [
    ...TITLES.map((title) => ({ title, isDone: false, links: [], notes: [] })),
    { title: `Read ${RUST}, then rest`, isDone: false, links, notes: [] },
    { title: "- [ ] a box", isDone: true, links: [], notes: [] },
    {
      title: "With notes",
      isDone: true,
      links: links.slice(0, 1),
      notes: ["One\r\n  indented\n\n> quoted\u2028- [ ] no task", "Two https://a.example/."],
    },
  ];
  expect(draftsOf(tasksAsMarkdown(tasks))).toEqual(
    tasks.map(({ isDone, notes, ...task }) => ({
      ...task,
      notes: notes.map((note) => note.replaceAll("\r\n", "\n")),
      ...(isDone ? { status: "done" } : {}),
    })),
  );
  const [first = { title: "", isDone: false, links: [], notes: [] }] = tasks;
  expect(draftsOf(tasksAsMarkdown([first]))).toEqual([{ title: "Plain", links: [], notes: [] }]);
});
