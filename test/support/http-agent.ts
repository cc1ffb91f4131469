import { urlOf } from "./agents.ts";
import { type Answer, send } from "./server.ts";
import type { AgentCall, Filed, World } from "./world.ts";

/** An agent that calls the API with a key. `tokens` are its keys. */
export const agentOver =
  (base: () => string, tokens: readonly string[]): World["agent"] =>
  async (call) => {
    const [method, path, body] = requestOf(call);
    const answer = await send(method, base() + path, { token: tokens[call.key], body });
    if (answer.status <= 201) return filedBy(call, answer);
    // The task is deleted or in the trash, the bucket is a trash bucket, or the folder or bucket
    // does not exist.
    if (REFUSED.includes(answer.status)) return null;
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  };

const REFUSED = [403, 404, 422];

const requestOf = ({ act, task, text, field, value }: AgentCall): [string, string, unknown] => {
  const tabs = [{ url: urlOf(text), title: text }];
  const path = `/tasks/${encodeURIComponent(task)}`;
  switch (act) {
    case "task":
      return ["POST", "/tasks", { title: text, tabs, notes: [text] }];
    case "tabs":
      return ["POST", `${path}/tabs`, tabs];
    case "note":
      return ["POST", `${path}/notes`, { text }];
    case "patch":
      return ["PATCH", path, { [field]: value }];
    case "inbox":
      return ["POST", "/inbox/tabs", tabs];
  }
};

type Listed = { readonly id: string; readonly url: string; readonly text: string };

const filedBy = ({ act, task }: AgentCall, { json }: Answer): Filed => {
  const tabs = ((json.tabs ?? []) as readonly Listed[]).map(({ id, url }) => {
    return { id, list: "pages" as const, value: url };
  });
  const noted = (act === "note" ? [json] : (json.notes ?? [])) as readonly Listed[];
  const notes = noted.map(({ id, text }) => ({ id, list: "notes" as const, value: text }));
  const made = act === "task" ? json.id : act === "inbox" ? json.task.id : task;
  return { task: String(made), children: [...tabs, ...notes] };
};
