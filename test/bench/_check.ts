import { changesOf, newTaskBody } from "./_data.ts";
import { FIND_TASKS, ownerOf, type Pair } from "./_jobs.ts";

/**
 * Sends every measured request to the servers once, and throws if their answers differ in
 * substance. Otherwise the benchmark might compare an error page with a list.
 */
export const checkReplies = async (pair: Pair): Promise<void> => {
  const [ann, dora] = [ownerOf(pair.seed, "ann"), ownerOf(pair.seed, "dora")];
  const key = ann.keys[0] ?? "";
  const now = new Date().toISOString();
  const same = (path: string, token: string, body?: string) => compare(pair, { path, token, body });
  await same("/tasks", ann.session);
  await same("/tasks/ann-0000007", ann.session);
  await same("/me", key);
  await same(`/sync?since=${now}`, ann.session);
  await checkStack(pair, [
    { path: "/tasks", token: ann.session, body: undefined },
    { path: "/tasks/ann-0000007", token: ann.session, body: undefined },
    { path: "/me", token: key, body: undefined },
    { path: `/sync?since=${now}`, token: ann.session, body: undefined },
  ]);
  await checkTool(pair, key);
  await checkPull(pair);
  await same("/tasks", ann.session, newTaskBody(1));
  const twenty = { count: 20, tasks: dora.tasks, size: dora.size };
  const made = changesOf({ ...twenty, prefix: "check", from: 0, version: 0 });
  const edited = changesOf({ ...twenty, prefix: "check", from: 0, version: 1 });
  const stored = changesOf({ ...twenty, prefix: "dora", from: dora.tasks / 2, version: 1 });
  for (const changes of [made, [...edited, ...stored]])
    await same("/sync", dora.session, JSON.stringify(changes));
  await same("/tasks", dora.session);
  await same("/tasks/check-0000003", dora.session);
  await same(`/sync?since=${now}`, dora.session);
};

/** The stack must answer like the floor, with the headers that every reply of Docket's has. */
const checkStack = async (pair: Pair, questions: readonly Question[]): Promise<void> => {
  for (const question of questions) await compare({ ...pair, docket: pair.stack }, question);
  const [ours, theirs] = [await fieldsOf(pair.docket), await fieldsOf(pair.stack)];
  if (ours !== theirs) throw new Error(`The stack sends ${theirs}; Docket ${ours}`);
};

const fieldsOf = async (url: string): Promise<string> =>
  [...(await fetch(`${url}/healthz`)).headers.keys()].toSorted().join(", ");

/** The tool must show the same tasks as the list. */
const checkTool = async ({ docket }: Pair, key: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` };
  const list = await (await fetch(`${docket}/api/public/v1/tasks`, { headers })).text();
  const asked = { method: "POST", headers: { ...headers, ...MCP_TYPES }, body: FIND_TASKS };
  const found = await (await fetch(`${docket}/mcp`, asked)).text();
  if (ids(found.replaceAll("\\", "")) !== ids(list)) throw new Error(`find_tasks: ${found}`);
};

const ids = (text: string): string => JSON.stringify(text.match(/ann-\d+/g)?.slice(0, 50));

const MCP_TYPES = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Too large to parse: from the first record on, both must be the same text. */
const checkPull = async ({ docket, floor, seed }: Pair): Promise<void> => {
  const headers = { authorization: `Bearer ${ownerOf(seed, "carol").session}` };
  const text = async (url: string): Promise<string> => {
    const whole = await (await fetch(`${url}/api/public/v1/sync`, { headers })).text();
    return whole.slice(whole.indexOf('"changes"')).replaceAll(/,"rev":"[0-9a-z-]*"\}/g, "}");
  };
  if ((await text(docket)) !== (await text(floor))) throw new Error("The pulls differ.");
};

type Question = {
  readonly path: string;
  readonly token: string;
  readonly body: string | undefined;
};

const compare = async ({ docket, floor }: Pair, question: Question): Promise<void> => {
  const [ours, theirs] = [await ask(docket, question), await ask(floor, question)];
  if (ours === theirs) return;
  throw new Error(
    `${question.path} is answered differently:\n${ours.slice(0, 1_000)}\n${theirs.slice(0, 1_000)}`,
  );
};

/**
 * Returns the reply's status and content, without what may differ: cursors, the servers' times and
 * generated ids.
 */
const ask = async (url: string, { path, token, body }: Question): Promise<string> => {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body ? { "content-type": "application/json" } : {}),
  };
  const address = `${url}/api/public/v1${path}`;
  const reply = await fetch(address, body ? { method: "POST", headers, body } : { headers });
  return `${reply.status} ${JSON.stringify(settled(await reply.json()))}`;
};

const MADE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;
const TIMES = ["server_time", "next_cursor", "created_at"];
/** The floor has no revisions. */
const REVISIONS = ["rev", "revs"];

const settled = (value: unknown, field = ""): unknown => {
  if (TIMES.includes(field) && value !== null) return field;
  if (typeof value === "string")
    return MADE.test(value) ? "id" : field === "updated_at" && isNow(value) ? "now" : value;
  if (Array.isArray(value)) return value.map((item: unknown) => settled(item)).toSorted(byText);
  if (typeof value !== "object" || value === null) return value;
  const all = Object.entries(value).filter(([name]) => !REVISIONS.includes(name));
  const fields = all.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, one]) => [name, settled(one, name)]));
};

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

const isNow = (time: string): boolean => Math.abs(Date.parse(time) - Date.now()) < 60_000;
