import { expect, test } from "bun:test";
import { countCalls, listCalls, SEARCHED_AT_ONCE } from "../../../src/db/calls/activity-pages.ts";
import type { Outcome } from "../../../src/domain/calls/activity.ts";
import { NOON } from "../../support/server.ts";
import { fill, world } from "../_calls.ts";
import { readPlans } from "../_plans.ts";

const BY_ACCOUNT = "SEARCH activity USING INDEX activity_account (account_id=?";
const ON_INDEX_ALONE = BY_ACCOUNT.replace("USING", "USING COVERING");
const BY_KEY = "SEARCH activity USING INDEX activity_key (key_id=?";
const KEYS_ALONE = BY_KEY.replace("USING", "USING COVERING");
const OWN = "; SCALAR SUBQUERY 1; SEARCH api_key USING INDEX sqlite_autoindex_api_key_1 (id=?)";
// SQLite sorts only the calls within one millisecond, which is no more work than reading the page.
const IN_ORDER = "; USE TEMP B-TREE FOR LAST TERM OF ORDER BY";

test.each<readonly [string, boolean, Outcome | null, boolean, readonly string[]]>([
  ["all calls", false, null, false, [`${BY_ACCOUNT})${IN_ORDER}`]],
  ["their next pages", false, null, true, [`${BY_ACCOUNT} AND at<?)${IN_ORDER}`]],
  ["a key's calls", true, null, false, [`${BY_KEY})${OWN}`]],
  ["their next pages", true, null, true, [`${BY_KEY} AND at<?)${OWN}`]],
  [
    "an outcome",
    false,
    "failed",
    false,
    [`${ON_INDEX_ALONE})`, `${BY_ACCOUNT} AND at>?)${IN_ORDER}`],
  ],
  [
    "its next pages",
    false,
    "deletes",
    true,
    [`${ON_INDEX_ALONE} AND at<?)`, `${BY_ACCOUNT} AND at>? AND at<?)${IN_ORDER}`],
  ],
  [
    "an outcome of a key",
    true,
    "refused",
    false,
    [`${KEYS_ALONE})${OWN}`, `${BY_KEY} AND at>?)${OWN}`],
  ],
  [
    "its next pages",
    true,
    "deletes",
    true,
    [`${KEYS_ALONE} AND at<?)${OWN}`, `${BY_KEY} AND at>? AND at<?)${OWN}`],
  ],
])("%s: one bounded range of an index is read", async (_name, key, outcome, later, wanted) => {
  const { store, ann, helper } = await world();
  fill(store, ann, helper, SEARCHED_AT_ONCE + 1, { at: `${NOON} - n` });
  const filter = { keyId: key ? helper : null, outcome, way: null };
  const page = { after: later ? { at: NOON, id: 1 } : null, limit: 50 };
  const plans = await readPlans(store.directory, (opened) => listCalls(opened, ann, filter, page));
  expect(plans).toEqual(wanted);
});

test("A list of MCP calls reads one bounded range of an index, like a filter by outcome", async () => {
  const { store, ann, helper } = await world();
  fill(store, ann, helper, SEARCHED_AT_ONCE + 1, { at: `${NOON} - n` });
  const filter = { keyId: null, outcome: null, way: "mcp" } as const;
  const page = { after: null, limit: 50 };
  const plans = await readPlans(store.directory, (opened) => listCalls(opened, ann, filter, page));
  expect(plans).toEqual([`${ON_INDEX_ALONE})`, `${BY_ACCOUNT} AND at>?)${IN_ORDER}`]);
});

test("The chart counts from an index alone, one day at a time", async () => {
  const { store, ann } = await world();
  const plans = await readPlans(store.directory, (opened) => countCalls(opened, ann, [1, 2]));
  const plan = `${ON_INDEX_ALONE} AND at>? AND at<?); USE TEMP B-TREE FOR GROUP BY`;
  expect(plans).toEqual([plan, plan]);
});
