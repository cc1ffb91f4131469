import { describe, expect, test } from "bun:test";
import { change, newcomer, sharedServer } from "../../support/replies.ts";
import { DOCKET } from "../../support/docket.ts";
import { plainEnvironment } from "../../support/program.ts";
import type { Person } from "../../support/server.ts";
import { selftest } from "../../support/cli/command.ts";
import { startWrongServer } from "../../support/cli/wrong.ts";

const right = await sharedServer();

type Row = { readonly id: string; readonly deleted_at: string | null; readonly payload: object };

const liveRows = async ({ session }: Person): Promise<readonly Row[]> => {
  const { changes } = (await right.call("GET", "/sync", { token: session })).json;
  return (Object.values(changes) as Row[][]).flat().filter(({ deleted_at }) => deleted_at === null);
};

/** What is in the rows, whatever their order. */
const contents = (rows: readonly Row[]) =>
  rows.map(({ id, payload }) => ({ id, payload })).toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe("After docket selftest", () => {
  test("an account that was empty is empty again, and all that is left are tombstones", async () => {
    const ann = await newcomer(right);
    const { err } = await selftest([right.url], { session: ann.session });
    expect(err).toContain("Deleted what it made.");
    expect(await liveRows(ann)).toEqual([]);
  });

  test("a person's own tasks, folders and inbox are as they were", async () => {
    const ann = await newcomer(right);
    const token = ann.session;
    const body = [change("sync_tasks", "trip", { title: "Book the trip", "x-own": [1, null] })];
    await right.call("POST", "/sync", { token, body });
    await right.call("POST", "/projects", { token, body: { name: "Travel" } });
    const tabs = [{ url: "https://trains.example/" }, { url: "https://ferries.example/" }];
    await right.call("POST", "/inbox/tabs", { token, body: tabs });
    const before = await liveRows(ann);

    await selftest([right.url], { session: token, key: await ann.key() });
    expect(contents(await liveRows(ann))).toEqual(contents(before));
    const list = (await right.call("GET", "/tasks", { token })).json.tasks as { title: string }[];
    expect(list.map(({ title }) => title).toSorted()).toEqual(["Agent unsorted", "Book the trip"]);
  });

  test("what could not be deleted is named", async () => {
    const ann = await newcomer(right);
    const tokens = { session: ann.session };
    const wrong = startWrongServer(right.url, tokens, ({ line, text }) =>
      line === "POST /sync" && text.includes('"deleted_at":"')
        ? Promise.resolve(Response.json({ applied: 1, rejected: [], merged: [], invalid: [] }))
        : null,
    );
    const { code, err } = await selftest([wrong.url], tokens);
    await wrong.stop();
    const left = await liveRows(ann);
    expect(left.length).toBeGreaterThan(20);
    expect([code, err]).toEqual([1, expect.stringContaining("Could not delete: sync_tasks ")]);
    for (const { id } of left) expect(err).toContain(id);
  });

  test("a server that is gone cannot be cleaned, and the search term is named", async () => {
    const ann = await newcomer(right);
    const tokens = { session: ann.session };
    let pulls = 0;
    const wrong = startWrongServer(right.url, tokens, ({ line }) =>
      pulls > 5 || (line === "GET /sync" && ++pulls > 5)
        ? Promise.resolve(Response.json({ error: "Gone." }, { status: 503 }))
        : null,
    );
    const { code, err } = await selftest([wrong.url], tokens);
    await wrong.stop();
    const mark = /is called (docket-selftest-\w+)\./.exec(err)?.[1] ?? "";
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        `Could not delete: whatever has "${mark}" in its title (GET /sync answered 503, not 200`,
      ),
    ]);
  });

  test("an interrupt skips the rest, and deletes what was made", async () => {
    const ann = await newcomer(right);
    const tokens = { session: ann.session };
    const begun = Promise.withResolvers<void>();
    const interrupted = Promise.withResolvers<void>();
    // The reply to the first task waits until the interrupt has been sent.
    const wrong = startWrongServer(right.url, tokens, ({ line, who }, pass) => {
      if (line !== "POST /tasks" || who !== "session") return null;
      begun.resolve();
      return interrupted.promise.then(() => pass());
    });
    const child = Bun.spawn([...DOCKET, "selftest", wrong.url], {
      env: plainEnvironment({ DOCKET_SESSION_TOKEN: ann.session }),
      stdout: "pipe",
      stderr: "pipe",
    });
    await begun.promise;
    child.kill("SIGINT");
    interrupted.resolve();
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    await wrong.stop();
    expect([await child.exited, out, err]).toEqual([
      1,
      expect.stringMatching(/^skipped .* {2}Stopped\.$/m),
      expect.stringContaining("Deleted what it made."),
    ]);
    expect(await liveRows(ann)).toEqual([]);
  });
});
