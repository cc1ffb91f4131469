import { readList } from "../../db/records/lists/task-list.ts";
import type { TaskFilter } from "../../db/records/lists/task-filter.ts";
import type { Store } from "../../db/store.ts";
import { say, type Term } from "../../domain/base/message.ts";
import { invalid, type Refusal } from "../../domain/base/refusal.ts";
import { shortenedTo } from "../../domain/base/text.ts";
import { type Caller, mayRead } from "../../domain/people/account.ts";
import { isStatus, KNOWN_STATUSES, knownStatus } from "../../domain/tasks/task.ts";

/**
 * Returns the status that a write stores. A session's is kept as sent: its client owns the statuses. A key's becomes the
 * known one that it means, such as `done` for `Done`. Otherwise some task that the key can reach must have it already
 * (422).
 */
export const statusToStore = async <Status extends string | undefined>(
  store: Store,
  caller: Caller,
  sent: Status,
): Promise<Status | string> => {
  if (sent === undefined || caller.kind !== "api_key") return sent;
  const known = knownStatus(sent);
  if (known !== null) return known;
  await mustExist(store, caller, sent.trim(), "status");
  return sent.trim();
};

/**
 * Returns the statuses that a key's filter means: the known one for `Done`, and `Done` itself, which a device may have
 * stored. Refuses one that no task has (422), because the list would only seem to be empty.
 */
export const statusesToFind = async (
  store: Store,
  caller: Caller,
  sent: readonly string[],
): Promise<readonly string[]> => {
  if (caller.kind !== "api_key") return sent;
  const unknown = [...new Set(sent)].filter((status) => knownStatus(status) === null);
  for (const status of unknown) await mustExist(store, caller, status, { parameter: "status" });
  return [...new Set(sent.flatMap((status) => [knownStatus(status) ?? status, status]))];
};

/** What a key that cannot read could try must not tell it which statuses there are. */
const mustExist = async (
  store: Store,
  caller: Caller,
  status: string,
  sentAs: Term | string,
): Promise<void> => {
  if (!mayRead(caller)) throw unknownStatus(sentAs, []);
  const [task] = await (isStatus(status) ? tasksWith(store, caller, [status], 1) : []);
  if (task === undefined) {
    const rows = await tasksWith(store, caller, null, LOOKED_AT);
    throw unknownStatus(sentAs, rows.map(statusOf));
  }
};

/** Tasks whose statuses a refusal names: those that changed last. */
const LOOKED_AT = 200;

const tasksWith = async (
  { reader }: Store,
  { account, restriction }: Caller,
  statuses: readonly string[] | null,
  limit: number,
): Promise<readonly string[]> => {
  const filter: TaskFilter = { ...ALL, statuses };
  const asked = { accountId: account.id, restriction, filter, page: { after: null, limit } };
  const { rows } = await readList(reader, asked);
  return rows;
};

const ALL: TaskFilter = {
  statuses: null,
  closed: true,
  folderId: null,
  columns: {},
  url: null,
  since: null,
  words: null,
};

const statusOf = (row: string): string => (JSON.parse(row) as { readonly status: string }).status;

const unknownStatus = (sentAs: Term | string, inUse: readonly string[]): Refusal => {
  const others = [...new Set(inUse)].filter((status) => !KNOWN_STATUSES.includes(status));
  const list = [...KNOWN_STATUSES, ...others.slice(0, MOST_NAMED)].map((one) =>
    shortenedTo(one, 60),
  );
  return invalid(
    say`${sentAs} must be one that this account uses: ${list.slice(0, -1).join(", ")} or ${list.at(-1) ?? ""}.`,
  );
};

const MOST_NAMED = 20;
