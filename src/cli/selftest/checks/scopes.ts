import { newTask } from "../bench.ts";
import { refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";

const TABS = [{ url: "https://example.org/" }];

export const READER = checksOf("scopes", ["reader"], {
  "A key with only read may read, and not write (403)": async (bench) => {
    const { call, mark } = bench;
    const path = `/tasks/${(await newTask(bench, "read only")).id}`;
    wants(await call("reader", "GET", "/me"), 200, { scopes: ["read"] });
    for (const readable of ["/tasks", path, "/projects"])
      wants(await call("reader", "GET", readable), 200);
    for (const [method, target, body] of [
      ["POST", "/tasks", { title: `${mark} by reader` }],
      ["PATCH", path, { colour: "red" }],
      ["POST", `${path}/tabs`, TABS],
      ["POST", `${path}/notes`, { text: "x" }],
      ["POST", "/inbox/tabs", [{ url: `https://example.org/${mark}/inbox/reader` }]],
      ["POST", "/projects", { name: `${mark} by reader` }],
    ] as const)
      refused(await call("reader", method, target, { body }), 403);
    wants(await call("session", "GET", path), 200, { colour: null, tabs: [], notes: [] });
  },
});

export const WRITER = checksOf("scopes", ["writer"], {
  "A key with only write may write, and not read (403)": async (bench) => {
    wants(await bench.call("writer", "GET", "/me"), 200, { scopes: ["write"] });
    const { id } = await newTask(bench, "write only", {}, "writer");
    for (const path of ["/tasks", `/tasks/${id}`, "/projects"])
      refused(await bench.call("writer", "GET", path), 403);
    const body = { colour: "teal" };
    wants(await bench.call("writer", "PATCH", `/tasks/${id}`, { body }), 200, body);
  },
});
