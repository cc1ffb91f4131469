import { expect, test } from "bun:test";
import { change, newcomer, sharedServer, titlesOf } from "../support/replies.ts";
import { colliding } from "../support/http/collide.ts";

// Search finds folders and addresses by a hash for which anyone can make texts that share it.

const server = await sharedServer({ limits: { perMinute: 1000, perHour: 1000 } });
const { call } = server;

test("A key that is kept to a folder finds nothing in another one whose id has the same hash", async () => {
  const ann = await newcomer(server);
  const [own = "", other = ""] = colliding("f", 2);
  const body = [
    change("sync_projects", own, { name: "Own" }),
    change("sync_projects", other, { name: "Other" }),
    change("sync_tasks", "in", { title: "bread in", project_id: own }),
    change("sync_tasks", "out", { title: "bread out", project_id: other }),
  ];
  const pushed = await call("POST", "/sync", { token: ann.session, body });
  expect(pushed.json).toMatchObject({ applied: 4, invalid: [] });
  const key = await ann.key(["read", "write"], "bot", { kind: "folders", folders: [own] });
  expect(titlesOf(await call("GET", "/tasks?q=bread", { token: key }))).toEqual(["bread in"]);
  for (const token of [key, ann.session]) {
    const within = `/tasks?q=bread&project_id=${encodeURIComponent(own)}`;
    expect(titlesOf(await call("GET", within, { token }))).toEqual(["bread in"]);
  }
  expect((await call("GET", "/tasks/out", { token: key })).status).toBe(404);
});

test("Of many addresses with one hash, the one that is asked for is found", async () => {
  const ann = await newcomer(server);
  const urls = colliding("http://e.x/", 1000);
  const body = urls
    .map((url, at) => change("sync_tasks", `t${at}`, { title: `t${at}`, pages: [{ url }] }))
    .slice(0, 500);
  expect((await call("POST", "/sync", { token: ann.session, body })).json.applied).toBe(500);
  const find = async (at: number) =>
    titlesOf(
      await call("GET", `/tasks?url=${encodeURIComponent(urls[at] ?? "")}`, { token: ann.session }),
    );
  expect([await find(7), await find(499), await find(600)]).toEqual([["t7"], ["t499"], []]);
});
