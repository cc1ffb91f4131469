import { expect, spyOn, test } from "bun:test";
import type { CallOptions } from "../support/server.ts";
import { expectRefusal, newcomer, sharedServer, tab, wholeTask } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const JSON_ONLY = "Send the body as JSON, with Content-Type: application/json.";
const UTF8_ONLY = "Send the body in UTF-8.";
const PLAIN_ONLY = "Send the body without Content-Encoding.";
const NOT_UTF8 = "The body is not valid UTF-8.";
const NOT_JSON = "The body is not valid JSON.";
const EMPTY = "The body is empty. Send JSON.";
const LONE =
  "The body contains text that is cut off in the middle of a character (a lone surrogate).";
const NUL = "The body contains a NUL character.";
const INFINITE = "The body contains a number that is too large.";
const MANY = "The body must contain at most 10000 values. Send less at a time.";
const DEEP = "The body must not be nested more than 64 levels deep.";

const PLAN = '{"title":"Plan the trip"}';

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

/**
 * Sends a request to POST /tasks as a new person, and returns the reply and everything that is
 * stored.
 */
const post = async (options: CallOptions) => {
  const { session: token } = await newcomer(server);
  const answer = await call("POST", "/tasks", { token, body: PLAN, ...options });
  const { json } = await call("GET", "/sync", { token });
  return { answer, stored: json.changes.sync_tasks as unknown[] };
};

test.each([
  ["application/json"],
  ["Application/JSON"],
  ["application/json;charset=utf-8"],
  ['application/json ; Charset="UTF-8"'],
  ["application/json; charset=utf8; boundary=x"],
  ["application/vnd.docket+json"],
  ["application/merge-patch+json"],
])("A body of type %s is accepted", async (type) => {
  const { answer } = await post({ headers: { "content-type": type } });
  expect([answer.status, answer.json]).toEqual([201, wholeTask()]);
});

test.each([
  ["text/plain", JSON_ONLY],
  ["application/x-www-form-urlencoded", JSON_ONLY],
  ["multipart/form-data; boundary=x", JSON_ONLY],
  ["application/jsonx", JSON_ONLY],
  ["application/json-seq", JSON_ONLY],
  ["text/json", JSON_ONLY],
  ["json", JSON_ONLY],
  ["", JSON_ONLY],
  ["text/plain; application/json", JSON_ONLY],
  ["application/json, text/plain", JSON_ONLY],
  ["application/json; charset=utf-16", UTF8_ONLY],
  ["application/json; charset=iso-8859-1", UTF8_ONLY],
  ["application/json; charset=", UTF8_ONLY],
  ["application/json; charset=utf-8; charset=utf-16", UTF8_ONLY],
])("A body of type %j is refused", async (type, error) => {
  const { answer, stored } = await post({ headers: { "content-type": type } });
  expectRefusal(answer, 415, error);
  expect(stored).toEqual([]);
});

test("A body without a content type is refused", async () => {
  const { session } = await newcomer(server);
  const headers = { authorization: `Bearer ${session}` };
  const url = `${server.url}/api/public/v1/tasks`;
  const body = new TextEncoder().encode(PLAN);
  const response = await fetch(url, { method: "POST", headers, body });
  expect([response.status, await response.json()]).toEqual([415, { error: JSON_ONLY }]);
});

test.each([["gzip"], ["br"], ["zstd"], ["deflate"], ["identity, gzip"], ["x"]])(
  "A body with Content-Encoding %s is refused and never unpacked",
  async (encoding) => {
    const bomb = Bun.gzipSync(new Uint8Array(10_000_000));
    for (const body of [PLAN, bomb]) {
      const { answer, stored } = await post({ body, headers: { "content-encoding": encoding } });
      expectRefusal(answer, 415, PLAIN_ONLY);
      expect(stored).toEqual([]);
    }
  },
);

test("Content-Encoding identity changes nothing and is accepted", async () => {
  const { answer } = await post({ headers: { "content-encoding": "Identity" } });
  expect(answer.status).toBe(201);
});

const unknownField = (name: string): string =>
  `${name} is not a known field. It takes: title, status, colour, folder, project_id, bucket_id, due, tags, position, tabs, notes.`;

test.each<[string, string | Uint8Array, number, string]>([
  ["nothing", "", 400, EMPTY],
  ["white space", " \r\n\t", 400, EMPTY],
  ["a byte order mark and nothing", "\uFEFF", 400, EMPTY],
  ["two byte order marks", `\uFEFF\uFEFF${PLAN}`, 400, NOT_JSON],
  [
    "a byte that is not UTF-8",
    Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    400,
    NOT_UTF8,
  ],
  ["an overlong slash", Buffer.from('{"title":"\xc0\xaf"}', "latin1"), 400, NOT_UTF8],
  ["a surrogate in UTF-8", Buffer.from('{"title":"\xed\xa0\x80"}', "latin1"), 400, NOT_UTF8],
  ["UTF-16", Buffer.from(PLAN, "utf16le"), 400, NOT_JSON],
  ["a cut-off character at the end", Buffer.from('{"title":"t"}\xf0\x9f', "latin1"), 400, NOT_UTF8],
  ["JSON that is cut off", '{"title":"Plan', 400, NOT_JSON],
  ["an extra comma", '{"title":"t",}', 400, NOT_JSON],
  ["single quotes", "{'title':'t'}", 400, NOT_JSON],
  ["a comment", '{"title":"t"}//', 400, NOT_JSON],
  ["two documents", PLAN + PLAN, 400, NOT_JSON],
  ["NaN", '{"title":"t","x":NaN}', 400, NOT_JSON],
  ["a raw control character", '{"title":"a\u0001"}', 400, NOT_JSON],
  ["a lone surrogate", '{"title":"cut \\ud83d"}', 400, LONE],
  ["surrogates in the wrong order", '{"title":"\\ude00\\ud83d"}', 400, LONE],
  ["a lone surrogate in an unknown field", '{"title":"t","x":[{"y":"\\udfff"}]}', 400, LONE],
  ["a lone surrogate in a key", '{"title":"t","\\ud800":1}', 400, LONE],
  ["NUL", '{"title":"a\\u0000b"}', 400, NUL],
  ["NUL in a key", '{"title":"t","a\\u0000":1}', 400, NUL],
  ["an infinite number", '{"title":"t","x":1e400}', 400, INFINITE],
  ["an infinite negative number", '{"title":"t","x":[-1e400]}', 400, INFINITE],
  ["65 levels", `{"title":"t","x":${nested(64)}}`, 400, DEEP],
  ["half a million levels, twice", nested(250_000) + nested(250_000), 400, DEEP],
  ["a million levels that close", nested(500_000), 400, DEEP],
  ["10,001 values", `{"title":"t","x":[${"0,".repeat(10_000)}0]}`, 413, MANY],
  ["a null", "null", 422, "The body must be an object."],
  ["an array", `[${PLAN}]`, 422, "The body must be an object."],
  ["an object that imitates an array", '{"length":1,"0":{"title":"t"}}', 422, unknownField("0")],
  ["a title inside a prototype", '{"__proto__":{"title":"t"}}', 422, unknownField("__proto__")],
  [
    "more than 1 MiB",
    `{"title":"t","x":"${"x".repeat(1024 * 1024)}"}`,
    413,
    "The body must be at most 1 MiB.",
  ],
])("A body of %s is refused and nothing is stored", async (_name, body, status, error) => {
  const { answer, stored } = await post({ body });
  expectRefusal(answer, status, error);
  expect(stored).toEqual([]);
});

test.each<[string, string, Record<string, unknown>]>([
  ["a byte order mark", `\uFEFF${PLAN}`, {}],
  ["white space around it", ` \n${PLAN}\r\n`, {}],
  ["the last of two equal keys", '{"title":"first","title":"Plan the trip"}', {}],
  ["a whole emoji, escaped", '{"title":"\\ud83d\\ude00"}', { title: "😀" }],
  ["unescaped non-ASCII letters", '{"title":"é e\u0301 中 😀"}', { title: "é e\u0301 中 😀" }],
  ["exactly 1 MiB", `{"title":"Plan the trip"${" ".repeat(1024 * 1024 - 26)}}`, {}],
])("A body with %s is accepted", async (_name, body, fields) => {
  const { answer, stored } = await post({ body });
  expect([answer.status, answer.json]).toEqual([201, wholeTask(fields)]);
  expect(stored).toHaveLength(1);
  expect(({} as Record<string, unknown>)["status"]).toBeUndefined();
});

test.each([
  ["64 levels", `{"x":${nested(63)}}`, "x"],
  ["__proto__", `{"__proto__":{"status":"done"},${PLAN.slice(1)}`, "__proto__"],
  ["constructor", `{"constructor":{"prototype":{"status":"done"}},${PLAN.slice(1)}`, "constructor"],
  ["a minus zero and large numbers", '{"x":[-0,18446744073709551616,1e308]}', "x"],
  [
    "9,000 unknown fields",
    `{${Array.from({ length: 9_000 }, (_, n) => `"k${n}":0`).join(",")}}`,
    "k0",
  ],
])("A body with %s is read, and refused for its field", async (_name, body, field) => {
  const { answer, stored } = await post({ body });
  expectRefusal(answer, 422, unknownField(field));
  expect(stored).toEqual([]);
  expect(({} as Record<string, unknown>)["status"]).toBeUndefined();
});

test("A body that is refused is not written into an error, which for a long one would hold others up", async () => {
  const { session: token } = await newcomer(server);
  const written = spyOn(JSON, "stringify");
  const tabs = Array.from({ length: 4_000 }, () => ({ url: "https://a.example/" }));
  const body = `{"title":"t","tabs":${JSON.stringify(tabs)}}`;
  written.mockClear();
  const answer = await call("POST", "/tasks", { token, body });
  const texts = written.mock.results.map(({ value }) => String(value));
  written.mockRestore();
  expectRefusal(answer, 422, "tabs must have 0 to 100 items, but has 4000.");
  expect(Math.max(0, ...texts.map(({ length }) => length))).toBeLessThan(1_000);
});

test("If any part of a body is refused, none of it is stored", async () => {
  const { session: token } = await newcomer(server);
  const made = await call("POST", "/tasks", { token, body: PLAN });
  const path = `/tasks/${made.json.id}/tabs`;
  const body = '[{"url":"https://a.example/"},{"url":"https://b.example/","title":"\\ud800"}]';
  expectRefusal(await call("POST", path, { token, body }), 400, LONE);
  const filed = await call("POST", path, { token, body: [{ url: "https://c.example/" }] });
  expect(filed.json.tabs).toEqual([
    tab({ url: "https://c.example/", title: "https://c.example/" }),
  ]);
  const whole = await call("GET", `/tasks/${made.json.id}`, { token });
  expect(whole.json.tabs).toEqual(filed.json.tabs);
});
