import { OUTCOMES, WAYS } from "../../domain/calls/activity.ts";
import { type ApiKey, keyState } from "../../domain/people/api-key.ts";
import type { CallFilter } from "../../db/calls/activity-pages.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { keyLabel } from "../keys/label.ts";
import { OUTCOME_NAMES, WAY_NAMES } from "./words.ts";

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
