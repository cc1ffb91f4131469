import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

const UPDATED = "updated_at must be a valid RFC 3339 time, such as 2026-01-31T09:30:00.000Z.";
const TABLE = "table must be one of sync_tasks, sync_projects, sync_buckets.";
const ID =
  'id must be 1 to 255 characters long, without control characters. It must not be "." or "..".';
const DELETED = "deleted_at must be a valid RFC 3339 time or null.";
const PAYLOAD = "payload must be an object.";
const DEEP = "payload must not be nested more than 64 levels deep.";
const LARGE = "payload must be at most 1 MiB of JSON.";
const MANY =
  "payload must have at most 50000 values, but has 50001. A stored one that has more may only become smaller.";
const INFINITE = "payload contains a number that is too large to store exactly.";

const good = change("sync_tasks", "good", { title: "good" });
const bad = (fields: Record<string, unknown>) =>
  JSON.stringify({ ...change("sync_tasks", "bad", { title: "bad" }), ...fields });
const withPayload = (text: string) => bad({}).replace('{"title":"bad"}', text);
/** A payload of so many values: itself, its list, and the items of that. */
const values = (count: number) => ({ x: Array.from({ length: count - 2 }, () => 0) });
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;

test.each<[string, string, string, string | null, string | null]>([
  ["a record that is null", "null", "A change record must be an object.", null, null],
  ["a record that is a list", "[]", "A change record must be an object.", null, null],
  ["a record that is text", '"sync_tasks"', "A change record must be an object.", null, null],
  ["an empty record", "{}", TABLE, null, null],
  ["an unknown table", bad({ table: "sync_notes" }), TABLE, "sync_notes", "bad"],
  [
    "SQL for a table",
    bad({ table: "sync_tasks; DROP TABLE record" }),
    TABLE,
    "sync_tasks; DROP TABLE record",
    "bad",
  ],
  ["__proto__ for a table", bad({ table: "__proto__" }), TABLE, "__proto__", "bad"],
  ["a table that is a list", bad({ table: ["sync_tasks"] }), TABLE, null, "bad"],
  ["no id", bad({ id: undefined }), ID, "sync_tasks", null],
  ["an id that is a number", bad({ id: 7 }), ID, "sync_tasks", null],
  ["an empty id", bad({ id: "" }), ID, "sync_tasks", ""],
  ["a dot for an id", bad({ id: "." }), ID, "sync_tasks", "."],
  ["two dots for an id", bad({ id: ".." }), ID, "sync_tasks", ".."],
  ["an id of 256 characters", bad({ id: "x".repeat(256) }), ID, "sync_tasks", "x".repeat(256)],
  ["an id with a line feed", bad({ id: "a\nb" }), ID, "sync_tasks", "a\nb"],
  ["an id with NUL", bad({ id: "a\0" }), ID, "sync_tasks", "a\0"],
  ["an id cut off inside a character", bad({ id: "a\ud800" }), ID, "sync_tasks", "a\ufffd"],
  ["no updated_at", bad({ updated_at: undefined }), UPDATED, "sync_tasks", "bad"],
  ["updated_at in milliseconds", bad({ updated_at: 1772625600000 }), UPDATED, "sync_tasks", "bad"],
  [
    "updated_at on 30 February",
    bad({ updated_at: "2026-02-30T00:00:00Z" }),
    UPDATED,
    "sync_tasks",
    "bad",
  ],
  [
    "updated_at without an offset",
    bad({ updated_at: "2026-03-04T12:00:00" }),
    UPDATED,
    "sync_tasks",
    "bad",
  ],
  ["updated_at in words", bad({ updated_at: "foo 1" }), UPDATED, "sync_tasks", "bad"],
  ["deleted_at that is true", bad({ deleted_at: true }), DELETED, "sync_tasks", "bad"],
  ["deleted_at in words", bad({ deleted_at: "yesterday" }), DELETED, "sync_tasks", "bad"],
  ["no payload", bad({ payload: undefined }), PAYLOAD, "sync_tasks", "bad"],
  ["a payload that is null", bad({ payload: null }), PAYLOAD, "sync_tasks", "bad"],
  ["a payload that is a list", bad({ payload: [] }), PAYLOAD, "sync_tasks", "bad"],
  ["a payload that is text", bad({ payload: "{}" }), PAYLOAD, "sync_tasks", "bad"],
  ["a payload of 65 levels", withPayload(nested(65)), DEEP, "sync_tasks", "bad"],
  ["a payload of 900 levels", withPayload(nested(900)), DEEP, "sync_tasks", "bad"],
  [
    "a payload over 1 MiB",
    bad({ payload: { x: "x".repeat(1024 * 1024) } }),
    LARGE,
    "sync_tasks",
    "bad",
  ],
  [
    "a payload over 1 MiB of UTF-8",
    bad({ payload: { x: "é".repeat(600_000) } }),
    LARGE,
    "sync_tasks",
    "bad",
  ],
  [
    "a record of more than 4 MiB",
    bad({ payload: { x: "x".repeat(4 * 1024 * 1024) } }),
    LARGE,
    "sync_tasks",
    "bad",
  ],
  [
    "a list of 250,001 values",
    `[${"0,".repeat(250_001)}0]`,
    "A change record must be an object.",
    null,
    null,
  ],
  ["a payload of 50,001 values", bad({ payload: values(50_001) }), MANY, "sync_tasks", "bad"],
  ["an infinite number", withPayload('{"n":[1e400]}'), INFINITE, "sync_tasks", "bad"],
])(
  "%s is listed as invalid, and the other records are applied",
  async (_name, record, error, table, id) => {
    const { session: token } = await newcomer(server);
    const body = `[${record},${JSON.stringify(good)}]`;
    const answer = await call("POST", "/sync", { token, body });
    const invalid = [{ index: 0, table, id, error }];
    expect([answer.status, answer.json]).toEqual([
      200,
      { applied: 1, rejected: [], merged: [], invalid },
    ]);
    const { json } = await call("GET", "/sync", { token });
    expect((json.changes.sync_tasks as { id: string }[]).map((row) => row.id)).toEqual(["good"]);
  },
);

test("A payload of 50,000 values is stored, and over REST the task keeps to that too", async () => {
  const { session: token } = await newcomer(server);
  const full = change("sync_tasks", "full", values(50_000));
  expect((await call("POST", "/sync", { token, body: [full] })).json).toMatchObject({ applied: 1 });
  const answer = await call("PATCH", "/tasks/full", { token, body: { title: "one more" } });
  expect([answer.status, answer.json]).toEqual([
    422,
    { error: "The task would have more than 50000 values. File this into another task." },
  ]);
});

const ARRAY = "The body must be an array of change records.";
const NOT_JSON = "The body is not valid JSON.";
const TOO_DEEP = "The body must not be nested more than 1000 levels deep.";

test.each<[string, string, number, string]>([
  ["an object", "{}", 422, ARRAY],
  ["an object that imitates an array", '{"length":1,"0":{}}', 422, ARRAY],
  ["null", "null", 422, ARRAY],
  ["text", '"[]"', 422, ARRAY],
  ["a long object", `{"x":"${"x".repeat(600_000)}"}`, 422, ARRAY],
  ["a long object that is cut off", `{"x":"${"x".repeat(600_000)}`, 400, NOT_JSON],
  ["a long list that is cut off", `["${"x".repeat(600_000)}`, 400, NOT_JSON],
  ["a long list with more behind it", `["${"x".repeat(600_000)}"] 1`, 400, NOT_JSON],
  ["JSON that is cut off", `[${JSON.stringify(good)}`, 400, NOT_JSON],
  ["nothing", "", 400, "The body is empty. Send JSON."],
  ["a record of 1,001 levels", `[${JSON.stringify(good)},${nested(1000)}]`, 400, TOO_DEEP],
  ["half a million levels", `${"[".repeat(500_000)}${"]".repeat(500_000)}`, 400, TOO_DEEP],
  ["a million levels", `${"[".repeat(1_500_000)}${"]".repeat(1_500_000)}`, 400, TOO_DEEP],
  ["four million open brackets", "[".repeat(4_000_000), 400, TOO_DEEP],
  [
    "400,000 zeros",
    `[${"0,".repeat(399_999)}0]`,
    422,
    "The body must have 0 to 500 items, but has 400000.",
  ],
  [
    "500,001 values",
    `[${"0,".repeat(500_000)}0]`,
    413,
    "The body must contain at most 500000 values. Send less at a time.",
  ],
])("A push of %s is refused as a whole", async (_name, body, status, error) => {
  const { session: token } = await newcomer(server);
  expectRefusal(await call("POST", "/sync", { token, body }), status, error);
  const { json } = await call("GET", "/sync", { token });
  expect(json.changes).toEqual({ sync_tasks: [], sync_projects: [], sync_buckets: [] });
});

test.each<[string, string]>([
  ["a title that was cut in the middle of an emoji", '{"title":"cut \\ud83d"}'],
  ["NUL", '{"title":"a\\u0000b"}'],
  ["a lone surrogate as a key", '{"title":"t","\\udead":{"\\u0000":"\\udc00\\ud800"}}'],
  ["64 levels", `{"title":"t","x":${nested(63)}}`],
  ["__proto__ and constructor", '{"__proto__":{"a":1},"constructor":{"prototype":{}},"title":"t"}'],
  ["numbers of every kind", '{"n":[0,-1,0.1,1e+21,1e-7,9007199254740991,1.7976931348623157e+308]}'],
  ["every escape that JSON writes", '{"title":"\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u2028é😀"}'],
  ["keys that look like numbers, in their order", '{"1":1,"2":{"10":0,"b":1,"a":2}}'],
  ["an empty key", '{"":{"":[[],{}]}}'],
  ["exactly 1 MiB", `{"x":"${"x".repeat(1024 * 1024 - 8)}"}`],
])("A payload with %s comes back character for character", async (_name, text) => {
  const { session: token } = await newcomer(server);
  const answer = await call("POST", "/sync", { token, body: `[${withPayload(text)}]` });
  expect(answer.json).toEqual({ applied: 1, rejected: [], merged: [], invalid: [] });
  for (const encoding of ["identity", "gzip", "zstd"]) {
    const headers = { "accept-encoding": encoding };
    const pulled = await call("GET", "/sync", { token, headers });
    expect(pulled.text).toContain(`"deleted_at":null,"payload":${text},"created_by":"person",`);
  }
  const older = withPayload("{}").replace("12:00:00", "11:00:00");
  const rejected = await call("POST", "/sync", { token, body: `[${older}]` });
  expect(rejected.text).toContain(`"payload":${text},`);
  expect((await call("GET", "/tasks/bad", { token })).status).toBe(200);
});

test("Characters that columns cannot hold are shown as a replacement character", async () => {
  const { session: token } = await newcomer(server);
  const text = '{"title":"cut \\ud83d, nul \\u0000","pages":[{"url":"\\udc00"}]}';
  await call("POST", "/sync", { token, body: `[${withPayload(text)}]` });
  const { json } = await call("GET", "/tasks/bad", { token });
  expect([json.title, json.tabs[0].url]).toEqual(["cut \ufffd, nul \ufffd", "\ufffd"]);
  await call("PATCH", "/tasks/bad", { token, body: { status: "done" } });
  const pulled = await call("GET", "/sync", { token });
  expect(pulled.text).toContain('"title":"cut \\ud83d, nul \\u0000","pages":[{"url":"\\udc00"}]');
});
