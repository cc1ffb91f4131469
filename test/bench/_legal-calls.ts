import { dice } from "../support/random.ts";
import { anything, fieldsOf, idOf, pushOf } from "./_bodies.ts";
import type { CallName, Genes } from "./_genes.ts";
import type { Call } from "./_sending.ts";
import { textsOf } from "./_texts.ts";

// The legal calls among which the search looks for the worst.

const V1 = "/api/public/v1";
const MIB = 1024 * 1024;
/** REST bodies have at most 1 MiB. */
const BODY = MIB - 2_000;

const get = (path: string): Call => ({ method: "GET", path: V1 + path, body: null });
const send = (path: string, body: unknown, method = "POST"): Call => ({
  method,
  path: V1 + path,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const message = (method: string, params: object): Call => ({
  method: "POST",
  path: "/mcp",
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});

const tool = (name: string, args: object): Call => message("tools/call", { name, arguments: args });

const stored = (genes: Genes): string =>
  idOf({ ...genes, table: "sync_tasks", ids: genes.ids === "long past" ? genes.ids : "large" }, 0);
const within = (genes: Genes, most: number): number => 1 + Math.floor(genes.count * (most - 1));

/** A search for words of the world's tasks, or of anything. At most 200 characters. */
const query = (genes: Genes): string => {
  const roll = dice(genes.seed);
  const text =
    genes.content === "common words"
      ? ["common", "com", "common 1", "c", "https site example"][roll(5)]
      : null;
  return (
    (text ?? textsOf(genes.content, roll(3))(within(genes, 190))).slice(0, 190).trim() || "common"
  );
};

const filters = (genes: Genes): Readonly<Record<string, string>> => {
  const roll = dice(genes.seed);
  const maybe = (name: string, value: string) => (roll(4) === 0 ? { [name]: value } : {});
  return {
    ...(roll(2) === 0 ? { limit: "200" } : {}),
    ...maybe("status", "todo,".repeat(1 + roll(300)).slice(0, -1)),
    ...maybe("project_id", "f0"),
    ...maybe("tag", roll(2) === 0 ? "tag" : "none of them"),
    ...maybe("closed", "true"),
    ...maybe("created_by", "agent"),
    ...maybe("due_after", "2026-01-01"),
    ...maybe("url", `https://site${roll(500)}.example/${roll(200)}`),
    ...maybe("since", "2026-01-01T00:00:00Z"),
  };
};
const asked = (fields: Readonly<Record<string, string>>): string =>
  `?${new URLSearchParams(fields).toString()}`;

const tabsOf = (genes: Genes) => {
  const text = textsOf(genes.content, genes.seed);
  const length = Math.floor(genes.size * 7_000);
  return Array.from({ length: within(genes, 100) }, (_, at) => ({
    url: `https://e${at}.example/${encodeURIComponent(text(length)).slice(0, length)}`,
    title: text(Math.floor(genes.size * 400) + 1),
  }));
};
const noteOf = (genes: Genes): string =>
  textsOf(genes.content, genes.seed)(1 + Math.floor(genes.size * 19_998)).replaceAll("\0", "");
const taskOf = (genes: Genes) => ({
  title: textsOf(genes.content, genes.seed)(200),
  ...(genes.shape === "tabs"
    ? { tabs: tabsOf(genes) }
    : {
        notes: Array.from(
          { length: Math.min(within(genes, 100), genes.size > 0.3 ? 15 : 100) },
          () => noteOf(genes),
        ),
      }),
});

export const LEGAL: Readonly<Record<CallName, (genes: Genes) => Call>> = {
  push: (genes) => send("/sync", pushOf(genes)),
  "push of anything": (genes) => send("/sync", anything(genes, genes.size * 15 * MIB)),
  pull: (genes) =>
    get(`/sync${genes.count < 0.5 ? "" : asked({ limit: String(within(genes, 10_000)) })}`),
  find: (genes) => get(`/tasks${asked({ ...filters(genes), q: query(genes) })}`),
  list: (genes) => get(`/tasks${asked(filters(genes))}`),
  read: (genes) => get(`/tasks/${stored(genes)}`),
  create: (genes) => send("/tasks", taskOf(genes)),
  change: (genes) =>
    send(
      `/tasks/${stored(genes)}`,
      { title: `again ${genes.seed}`, status: genes.deleted ? "done" : "todo" },
      "PATCH",
    ),
  "file tabs": (genes) => send(`/tasks/${stored(genes)}/tabs`, tabsOf(genes)),
  "add a note": (genes) => send(`/tasks/${stored(genes)}/notes`, { text: noteOf(genes) }),
  "file into the inbox": (genes) => send("/inbox/tabs", tabsOf(genes)),
  "make a folder": (genes) =>
    send("/projects", { name: textsOf(genes.content, genes.seed)(within(genes, 100)) }),
  "list folders": () => get("/projects"),
  "a body of anything": (genes) =>
    send(
      "/tasks",
      genes.pieces < 0.3
        ? anything(genes, genes.size * BODY)
        : { title: "t", ...fieldsOf(genes, genes.size * BODY) },
    ),
  "mcp: find_tasks": (genes) =>
    tool("find_tasks", { q: query(genes), ...(genes.size > 0.5 ? { limit: 50 } : {}) }),
  "mcp: read_task": (genes) => tool("read_task", { id: stored(genes) }),
  "mcp: add_task": (genes) => tool("add_task", taskOf(genes)),
  "mcp: change_task": (genes) =>
    tool("change_task", { id: stored(genes), title: `again ${genes.seed}` }),
  "mcp: list_folders": () => tool("list_folders", {}),
  "mcp: anything": (genes) =>
    tool("add_task", { title: "t", ...fieldsOf(genes, genes.size * BODY) }),
  "mcp: a message about anything": (genes) =>
    message("tools/list", { _meta: fieldsOf(genes, genes.size * BODY) }),
};
