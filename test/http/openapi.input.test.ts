import { expect, test } from "bun:test";
import { newcomer, sharedServer, V1 } from "../support/replies.ts";
import { DOCUMENT, type Json, type Parameter, resolved } from "../support/http/document.ts";
import { filled } from "../support/access.ts";
import { inputErrors } from "../support/http/schemas.ts";

// The server accepts exactly what the document's schemas accept.

const server = await sharedServer();
const ann = await newcomer(server);
const token = ann.session;
const made = await server.call("POST", "/tasks", { token, body: { title: "t" } });
const { id } = made.json as { readonly id: string };

const TAB = { url: "https://a.example/" };
const many = <Item>(count: number, item: Item): readonly Item[] =>
  Array.from({ length: count }, () => item);

const FIELDS = [
  { status: "" },
  { status: "x" },
  { status: "in progress" },
  { status: "s".repeat(64) },
  { status: "s".repeat(65) },
  { status: "a\nb" },
  { status: "a\u0085b" },
  { status: "a\u2028b" },
  { status: null },
  { colour: null },
  { colour: "" },
  { colour: "c".repeat(64) },
  { colour: "c".repeat(65) },
  { colour: 1 },
  { folder: null, project_id: null, bucket_id: null },
  { folder: 1 },
  { project_id: [] },
  { bucket_id: false },
  { deleted_at: null },
  { deleted_at: "2026-03-04T12:00:00Z" },
  { unknown: { more: [1, null, true] } },
];

const TITLES = ["", "t", "t".repeat(500), "t".repeat(501), "a\0b", "\n", 1, null, ["t"]];
const TEXTS = ["", " ", "n", "n".repeat(20_000), "n".repeat(20_001), "a\0b", 1, null];
const NAMES = ["", " ", "n", "n".repeat(200), "n".repeat(201), "a\0b", 1, null];
const URLS = [
  "",
  " ",
  "\t",
  "x",
  " x",
  "a\0b",
  "javascript:0",
  `https://a.example/${"u".repeat(8_174)}`,
];

const NOTES = [
  {},
  { note: "n" },
  ...TEXTS.flatMap((text) => [{ text }, { content: text }, { body: text, more: 1 }]),
  { text: "a", body: "b" },
  { text: "a", body: 1 },
  { text: "a", deleted_at: null },
  "n",
  [],
  null,
];

const TABS = [
  [],
  {},
  null,
  many(100, TAB),
  many(101, TAB),
  [TAB, {}],
  [{ title: "t" }],
  ...URLS.map((url) => [{ url }]),
  [{ url: `https://a.example/${"u".repeat(8_175)}` }],
  ...[null, "", "t".repeat(500), "t".repeat(501), "a\0b", 1].map((title) => [{ ...TAB, title }]),
  [{ ...TAB, deleted_at: 1 }],
  [{ ...TAB, more: {} }],
];

/** Bodies for each write, some of which are valid. */
const BODIES: Readonly<Record<string, readonly unknown[]>> = {
  [`post ${V1}/tasks`]: [
    {},
    [],
    null,
    "t",
    ...TITLES.map((title) => ({ title })),
    ...FIELDS.map((fields) => ({ title: "t", ...fields })),
    ...TABS.map((tabs) => ({ title: "t", tabs })),
    ...NOTES.map((note) => ({ title: "t", notes: [note] })),
    { title: "t", notes: many(100, "n") },
    { title: "t", notes: many(101, "n") },
  ],
  [`patch ${V1}/tasks/{id}`]: [{}, [], null, ...TITLES.map((title) => ({ title })), ...FIELDS],
  [`post ${V1}/tasks/{id}/tabs`]: TABS,
  [`post ${V1}/tasks/{id}/notes`]: NOTES,
  [`post ${V1}/inbox/tabs`]: TABS,
  [`post ${V1}/projects`]: [
    {},
    [],
    ...NAMES.flatMap((name) => [{ name }, { title: name }]),
    { name: "a", title: "b" },
    { name: "a", title: 1 },
    { name: "a", colour: "c".repeat(65) },
    { name: "a", deleted_at: null },
  ],
};

test.each(Object.entries(BODIES))("Bodies of %s are judged as documented", async (name, bodies) => {
  const [method = "", path = ""] = name.split(" ");
  const content = DOCUMENT.paths[path]?.[method]?.requestBody?.content["application/json"];
  const schema = content?.schema ?? {};
  for (const body of bodies) {
    const address = `!${filled(path, id)}`;
    const { status } = await server.call(method.toUpperCase(), address, { token, body });
    const isValid = inputErrors(schema, body).length === 0;
    expect([JSON.stringify(body).slice(0, 200), status < 300]).toEqual([
      JSON.stringify(body).slice(0, 200),
      isValid,
    ]);
  }
});

/** Values for each query parameter of the list. A schema applies to the value as text. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  status: [
    "",
    " ",
    ",",
    "todo",
    "todo,",
    "todo,done",
    " todo , done ",
    "in progress",
    "a\nb",
    "\ta",
    "s".repeat(64),
    "s".repeat(65),
    "x,".repeat(999) + "x",
    "x,".repeat(1_000) + "x",
  ],
  limit: ["", "0", "1", "01", "1.0", "50", "200", "201", "-1", "1e2", " 1", "x"],
  closed: ["", "true", "false", "TRUE", "1"],
  created_by: ["", "agent", "person", "Agent", "agent,person"],
  project_id: ["", "none", "p".repeat(1_001)],
  url: ["", "u", "u".repeat(8_192), "u".repeat(8_193)],
  since: [
    "",
    "2026-03-04T12:00:00Z",
    "2026-03-04T12:00:00.123456+05:30",
    "2026-03-04",
    "2026-02-30T12:00:00Z",
    "now",
  ],
  q: ["", "w", "w".repeat(200), "w".repeat(201)],
  due_before: ["", "2026-03-04", "2026-02-30", "2026-03-04T12:00:00Z", "soon"],
};

const LIST = DOCUMENT.paths[`${V1}/tasks`]?.["get"];
const PARAMETERS = (LIST?.parameters ?? []).map((each) => resolved<Parameter>(each));

test.each(Object.entries(QUERIES))("Values of %s are judged as documented", async (name, texts) => {
  const schema = PARAMETERS.find((parameter) => parameter.name === name)?.schema;
  for (const text of texts) {
    const query = new URLSearchParams({ [name]: text }).toString();
    const { status } = await server.call("GET", `/tasks?${query}`, { token });
    const isValid = schema === undefined || inputErrors(schema, valueOf(schema, text)).length === 0;
    expect([name, text.slice(0, 80), status < 300]).toEqual([name, text.slice(0, 80), isValid]);
  }
});

/**
 * The value that a text stands for. Text that is no such value stays text, which matches neither
 * type.
 */
const valueOf = ({ type }: Json, text: string): unknown => {
  if (type === "integer" && /^-?(0|[1-9]\d*)$/.test(text)) return Number(text);
  return type === "boolean" && /^(true|false)$/.test(text) ? text === "true" : text;
};
