import { isOutcome, OUTCOMES, WAYS } from "../../domain/calls/activity.ts";
import { type ApiKey, keyState } from "../../domain/people/api-key.ts";
import type { CallFilter, CallPosition } from "../../db/calls/activity-pages.ts";
import { type Instant, isInstant } from "../../domain/base/instant.ts";
import { keyLabel } from "../keys/form.tsx";
import { OUTCOME_NAMES, WAY_NAMES } from "./words.ts";

/** What the address of the activity page asks for. */
export type ActivityQuery = {
  readonly filter: CallFilter;
  /** Where the page starts; null for the latest calls. */
  readonly after: CallPosition | null;
  /** What in the address has no meaning, and was ignored; null if there is nothing. */
  readonly problem: string | null;
};

/**
 * Reads the filters and the cursor. `keys` are the account's own; the keys of other accounts do not exist
 * here.
 */
export const readActivityQuery = (
  query: URLSearchParams,
  keys: readonly ApiKey[],
): ActivityQuery => {
  const key = query.get("key") ?? "";
  const outcome = query.get("outcome") ?? "";
  const via = query.get("via") ?? "";
  const cursor = query.get("cursor") ?? "";
  const keyId = keys.find(({ id }) => id === key)?.id ?? null;
  const known = isOutcome(outcome) ? outcome : null;
  const way = WAYS.find((one) => one === via) ?? null;
  const after = readDeletedPosition(cursor);
  const problems = [
    ...(key !== "" && keyId === null ? ["There is no such key. Showing all keys."] : []),
    ...(outcome !== "" && outcome !== "all" && known === null
      ? ["There is no such outcome. Showing all outcomes."]
      : []),
    ...(via !== "" && via !== "all" && way === null
      ? ["There is no such protocol. Showing all protocols."]
      : []),
    ...(cursor !== "" && after === null
      ? ["This address does not lead to a page of the list. Showing the latest calls."]
      : []),
  ];
  return {
    filter: { keyId, outcome: known, way },
    after,
    problem: problems.length === 0 ? null : problems.join(" "),
  };
};

/** The address of a page of the list. The cursor is opaque, and reveals nothing about the account. */
export const activityPath = (
  { keyId, outcome, way }: Partial<CallFilter>,
  after: CallPosition | null = null,
): string => {
  const query = new URLSearchParams({
    ...(keyId ? { key: keyId } : {}),
    ...(outcome ? { outcome } : {}),
    ...(way ? { via: way } : {}),
    ...(after ? { cursor: writePlace(after) } : {}),
  }).toString();
  return `/account/activity${query && `?${query}`}`;
};

const writePlace = ({ at, id }: CallPosition): string =>
  Buffer.from(JSON.stringify([at, id])).toString("base64url");

const readDeletedPosition = (cursor: string): CallPosition | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const [at, id] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return isInstant(at) && isRowId(id) ? { at, id } : null;
  } catch {
    return null;
  }
};

const isRowId = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

type FilterProps = {
  readonly filter: CallFilter;
  readonly keys: readonly ApiKey[];
  readonly now: Instant;
};

/** Filters by key (including keys that no longer work), by outcome and by protocol. */
export const FilterForm = ({ filter, keys, now }: FilterProps) => (
  <form method="get" action="/account/activity">
    <div class="field">
      <label for="key">Key</label>
      <select id="key" name="key">
        <option value="">All keys</option>
        {keys.map((key) => (
          <option key={key.id} value={key.id} selected={key.id === filter.keyId}>
            {keyLabel(key)}
            {keyState(key, now) === "live" ? "" : ` (${keyState(key, now)})`}
          </option>
        ))}
      </select>
    </div>
    <div class="field">
      <label for="outcome">Outcome</label>
      <select id="outcome" name="outcome">
        <option value="all">All</option>
        {OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome} selected={outcome === filter.outcome}>
            {OUTCOME_NAMES[outcome]}
          </option>
        ))}
      </select>
    </div>
    <div class="field">
      <label for="via">Protocol</label>
      <select id="via" name="via">
        <option value="all">All</option>
        {WAYS.map((way) => (
          <option key={way} value={way} selected={way === filter.way}>
            {WAY_NAMES[way]}
          </option>
        ))}
      </select>
    </div>
    <button>Show</button>
  </form>
);
