import { ask, type Ledger, noteTime, type Target } from "./load.ts";

/** An agent that works on its latest task, and repeats calls that got no answer. */
export type Agent = { task: string; unanswered: Call | null };

export const newAgent = (): Agent => ({ task: "", unanswered: null });

/** One call of an agent. Its name is in what it files, and is its idempotency key. */
type Call = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly makes: "nothing" | "task";
  /** How often it was sent before. */
  tries: number;
};

/** An agent that files tasks, tabs and notes, renames tasks, and lists them. */
export const fileOn = async (ledger: Ledger, target: Target, agent: Agent): Promise<void> => {
  while (!target.isOver()) {
    const call = (agent.unanswered ??= nextCall(agent, target.random));
    const { name, method, body } = call;
    const client = call.tries === 0 ? name : `${name}-again-${call.tries}`;
    call.tries += 1;
    const key = method === "GET" ? {} : { "idempotency-key": `"${name}"` };
    const headers = { "user-agent": client, ...key };
    const options = { token: target.key, headers, ...(body === undefined ? {} : { body }) };
    const answered = await ask(ledger, target, [method, call.path], options);
    if (answered === null) return;
    const { json, note } = answered;
    if (call.makes === "task") agent.task = String(json["id"]);
    const renamed = call.makes === "task" || method === "PATCH" ? agent.task : null;
    note((into) => {
      into.calls.add(client);
      if (method === "GET") noteTime(into, String(json["server_time"]));
      if (renamed !== null) into.titles.set(renamed, numberOf(name));
      if (method === "POST") for (const id of idsIn(json)) into.filed.add(id);
    });
    agent.unanswered = null;
  }
};

let calls = 0;

const nextCall = ({ task }: Agent, random: Target["random"]): Call => {
  const name = `call-${(calls += 1)}`;
  const request = task === "" ? NEW_TASK : (REQUESTS[random(REQUESTS.length)] ?? NEW_TASK);
  const [method, path, body] = request(task, name);
  return { name, method, path, body, makes: request === NEW_TASK ? "task" : "nothing", tries: 0 };
};

/** Calls are numbered and name what they file. A higher number is a later call. */
export const numberOf = (title: string): number => Number(title.replace("call-", ""));

type Request = (task: string, name: string) => readonly [string, string, unknown?];

const tab = (name: string) => ({ url: `https://example.org/${name}`, title: name });

const NEW_TASK: Request = (_task, name) => {
  return ["POST", "/tasks", { title: name, tabs: [tab(name)], notes: [name] }];
};

const REQUESTS: readonly Request[] = [
  NEW_TASK,
  (task, name) => ["POST", `/tasks/${task}/tabs`, [tab(name), tab(`${name}-2`)]],
  (task, name) => ["POST", `/tasks/${task}/notes`, { text: name }],
  (task, name) => ["PATCH", `/tasks/${task}`, { title: name }],
  (_task, name) => ["POST", "/inbox/tabs", [tab(name)]],
  () => ["GET", "/tasks?limit=5"],
];

/** The ids of everything that a reply shows as filed. */
const idsIn = (value: unknown): readonly string[] => {
  if (typeof value !== "object" || value === null) return [];
  const own = "id" in value && typeof value.id === "string" ? [value.id] : [];
  return [...own, ...Object.values(value).flatMap(idsIn)];
};
