import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { formatInstant, SECOND } from "../../../src/domain/base/instant.ts";
import { DOCKET } from "../../support/docket.ts";
import { run, type Running, serve } from "../../support/program.ts";
import { send, testDirectory } from "../../support/server.ts";

const directory = testDirectory();
const docket = (...words: readonly string[]) => run(DOCKET, [...words, "--data", directory]);
const rowsOf = async (...words: readonly string[]) =>
  JSON.parse((await docket(...words, "--json")).out) as readonly Readonly<
    Record<string, string | null>
  >[];

let server: Running;
let [session, key, keyId] = ["", "", ""];
const api = (method: string, path: string, token: string, body?: unknown) =>
  send(method, `${server.url}/api/public/v1${path}`, { token, body });
const push = (id: string, payload: unknown, at = Date.now(), table = "sync_tasks") =>
  api("POST", "/sync", session, [{ table, id, updated_at: formatInstant(at), payload }]);

/** A running server with ann's laptop, and a key of hers that changed one task and added another. */
beforeAll(async () => {
  await docket("account", "add", "ann@example.org");
  session = (await docket("session", "create", "--name", "laptop")).out.trim();
  key = (await docket("key", "create", "--name", "helper", "--scopes", "read,write")).out.trim();
  keyId = (await rowsOf("key", "list"))[0]?.["id"] ?? "";
  server = await serve(DOCKET, ["--data", directory]);
  const before = Date.now() - SECOND;
  await push("f", { name: "Travel" }, before, "sync_projects");
  await push("t", { title: "Trip", status: "todo", notes: ["mine"] }, before);
  await api("PATCH", "/tasks/t", key, { status: "done", folder: "Travel", title: "Wrong" });
  await api("POST", "/tasks/t/tabs", key, [
    { url: "https://spam.example/", title: "\u001B[31mSpam" },
  ]);
  await api("POST", "/tasks", key, { title: "Of an agent" });
  const { json } = await api("GET", "/sync", session);
  const task = json.changes.sync_tasks.find(({ id }: { id: string }) => id === "t");
  await push("t", { ...task.payload, title: "Journey", window: 1 }, Date.now() + SECOND);
});

afterAll(async () => void (await server.stop()));

const AT = expect.stringMatching(/^20\d\d-.*Z$/) as unknown as string;

describe("docket history", () => {
  test("lists who did what to a task while the server runs, newest first, one line each", async () => {
    expect(await rowsOf("history", "t")).toEqual([
      {
        at: AT,
        who: "laptop",
        what: "Edited on laptop",
        difference: "Title: Wrong -> Journey; other data: window",
      },
      {
        at: AT,
        who: "the key helper",
        what: "Changed by the key helper",
        difference: "tab: + \u001B[31mSpam https://spam.example/",
      },
      {
        at: AT,
        who: "the key helper",
        what: "Changed by the key helper",
        difference: "Title: Trip -> Wrong; Status: todo -> done; Folder: + Travel",
      },
    ]);
    const { code, out } = await docket("history", "t", "--limit", "2");
    expect([code, out.split("\n").length, out.includes("\u001B")]).toEqual([0, 4, false]);
    expect(out).toContain("tab: + �[31mSpam https://spam.example/");
  });

  test("says if a task has no history, and refuses a task that never existed", async () => {
    await push("quiet", { title: "Quiet" });
    expect(await docket("history", "quiet")).toEqual({
      code: 0,
      out: "",
      err: "No history is kept for this task.\n",
    });
    expect(await docket("history", "none")).toEqual({
      code: 1,
      out: "",
      err: "docket: Task not found. It may have been deleted.\n",
    });
    expect(await docket("history")).toEqual({
      code: 2,
      out: "",
      err: "docket: Usage: docket history TASK [--account EMAIL] [--limit N] [--json]\n",
    });
    expect((await docket("history", "t", "--limit", "0")).code).toBe(2);
  });

  test("looks only at the tasks of one account", async () => {
    await docket("account", "add", "bob@example.org");
    expect((await docket("history", "t")).err).toBe(
      "docket: There is more than one account. Choose one with --account EMAIL.\n",
    );
    expect((await docket("history", "t", "--account", "bob@example.org")).code).toBe(1);
    expect((await rowsOf("history", "t", "--account", "ann@example.org")).length).toBe(3);
  });
});

const undo = (...more: readonly string[]) => ["undo", "--key", keyId, "--since", "2h", ...more];
const stands = async (id: string) => {
  const { json } = await api("GET", "/sync", session);
  return json.changes.sync_tasks.find((task: { id: string }) => task.id === id);
};

describe("docket undo", () => {
  test("lists with --dry-run what it would undo, and changes nothing", async () => {
    const before = await stands("t");
    const rows = await rowsOf(...undo("--dry-run"));
    const told = rows.map(({ title, what, from, to, state }) => [title, what, from, to, state]);
    expect(told.toSorted()).toEqual([
      ["Journey", "project_id", null, "Travel", "would be undone"],
      ["Journey", "status", "todo", "done", "would be undone"],
      ["Journey", "tab", null, "https://spam.example/", "would be undone"],
      ["Journey", "title", "Trip", "Wrong", "stays"],
      ["Of an agent", "made", null, "Of an agent", "would be undone"],
    ]);
    expect(rows.find(({ state }) => state === "stays")).toMatchObject({
      kind: "task",
      id: "t",
      at: AT,
      changed_by: "laptop",
    });
    expect(await stands("t")).toEqual(before);
  });

  test("undoes changes while the server runs, and devices receive that", async () => {
    const made = (await rowsOf(...undo("--dry-run"))).find(({ what }) => what === "made");
    const { code, out } = await docket(...undo());
    expect([code, out.split("\n").length]).toEqual([0, 7]);
    expect(out).toMatch(/^KIND +ID +TITLE +AT +WHAT +FROM +TO +STATE +CHANGED BY\n/);
    expect((await stands("t")).payload).toEqual({
      title: "Journey",
      status: "todo",
      notes: ["mine"],
      project_id: null,
      pages: [],
      window: 1,
    });
    expect((await stands(made?.["id"] ?? "")).deleted_at).not.toBeNull();
    const history = await rowsOf("history", "t", "--account", "ann@example.org");
    expect(history[0]).toMatchObject({ who: "you", what: "Undone by you" });
    const again = await rowsOf(...undo("--dry-run"));
    expect(again.map(({ state }) => state)).not.toContain("would be undone");
  });

  test("leaves changes from before the given time", async () => {
    const now = formatInstant(Date.now());
    const none = {
      code: 0,
      out: "",
      err: "There is nothing left to undo for this key since then.\n",
    };
    expect(await docket("undo", "--key", keyId, "--since", now)).toEqual(none);
  });

  test.each([
    [
      ["--since", "yesterday"],
      2,
      "--since must be a time such as 2026-01-31T09:30:00Z, or a length of time such as 2h or 3d.",
    ],
    [
      ["--since", "never"],
      2,
      "--since must be a time such as 2026-01-31T09:30:00Z, or a length of time such as 2h or 3d.",
    ],
    [[], 2, "--since is required."],
  ])("%j is wrong usage", async (words, code, err) => {
    expect(await docket("undo", "--key", keyId, ...words)).toEqual({
      code,
      out: "",
      err: `docket: ${err}\n`,
    });
  });

  test("refuses a key that never existed", async () => {
    expect(await docket("undo", "--key", "none", "--since", "1h")).toEqual({
      code: 1,
      out: "",
      err: "docket: API key not found. It may have been deleted.\n",
    });
  });
});

test("docket help lists docket history and docket undo", async () => {
  const { out } = await docket("help");
  expect(out).toContain("docket history TASK [--account EMAIL] [--limit N] [--json]");
  expect(out).toContain("docket undo --key ID[,ID] --since TIME|2h|3d [--dry-run] [--json]");
});
