import type { ApiKey } from "../../domain/people/api-key.ts";
import { type CallPage, countCalls, listCalls } from "../../db/calls/activity-pages.ts";
import { readFinished } from "../../db/calls/finished.ts";
import { listKeys } from "../../db/people/api-keys.ts";
import { readTitles } from "../../db/records/lookup.ts";
import type { SignedInContext } from "../shared/page.ts";
import { keyPath } from "../keys/table.tsx";
import { html, type PageReply } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/parts.tsx";
import { Chart, chartDays, seriesOf } from "./chart.tsx";
import { activityPath, type ActivityQuery, FilterForm, readActivityQuery } from "./filter.tsx";
import { CallTable } from "./table.tsx";
import type { Titles } from "./touched.tsx";

/** Rows on one page. */
const ROWS = 50;

/** `GET /account/activity`: what the account's keys did, newest first. The first page starts with a chart. */
export const getActivity = async (context: SignedInContext): Promise<PageReply> => {
  const { store } = context;
  const { id: accountId } = context.who.account;
  const keys = await listKeys(store, accountId);
  const query = readActivityQuery(context.query, keys);
  const page = await listCalls(store, accountId, query.filter, { after: query.after, limit: ROWS });
  const touched = page.rows.flatMap((row) => row.touched ?? []);
  const titles = await readTitles(store, accountId, touched);
  const finished = await readFinished(store, accountId, page.rows);
  return html(
    <Layout title="Activity" account={context.who.account} at="/account/activity">
      {query.problem && (
        <p class="problem banner" role="alert">
          {query.problem}
        </p>
      )}
      {query.after === null && (await chartOf(context, query, keys))}
      <section>
        <h2>{query.after === null ? "Latest calls" : "Older calls"}</h2>
        <FilterForm filter={query.filter} keys={keys.toReversed()} now={context.now} />
        {query.filter.keyId !== null && (
          <p>
            <a href={keyPath(query.filter.keyId, "undo")}>Undo this key’s changes</a>
          </p>
        )}
        <Calls page={page} query={query} keys={keys} titles={titles} finished={finished} />
      </section>
    </Layout>,
    { status: query.problem === null ? 200 : 422 },
  );
};

/** Calls per day, for the chosen key or for all keys. */
const chartOf = async (
  context: SignedInContext,
  { filter }: ActivityQuery,
  keys: readonly ApiKey[],
) => {
  const days = chartDays(context.now);
  const counts = await countCalls(context.store, context.who.account.id, days);
  const chosen = counts.filter(({ keyId }) => filter.keyId === null || keyId === filter.keyId);
  const series = seriesOf(chosen, byId(keys), days);
  return series.length === 0 ? (
    <p>No calls in the last {days.length} days.</p>
  ) : (
    <Chart series={series} days={days} />
  );
};

const byId = (keys: readonly ApiKey[]): ReadonlyMap<string, ApiKey> =>
  new Map(keys.map((key) => [key.id, key]));

type CallsProps = {
  readonly page: CallPage;
  readonly query: ActivityQuery;
  readonly keys: readonly ApiKey[];
  readonly titles: Titles;
  readonly finished: ReadonlySet<number>;
};

const Calls = ({ page, query, keys, titles, finished }: CallsProps) => (
  <>
    {page.rows.length === 0 ? (
      <div class="empty">
        <h2>{page.next ? "No calls found so far." : "No calls found."}</h2>
        <p>What scripts and agents do with your API keys appears here.</p>
      </div>
    ) : (
      <CallTable rows={page.rows} keys={byId(keys)} titles={titles} finished={finished} />
    )}
    {page.searchedTo !== null && (
      <Notice>
        Searched back to <Time at={page.searchedTo} />. There may be more calls before that. Choose
        “Older” to keep searching.
      </Notice>
    )}
    <nav class="pager" aria-label="Pages">
      {query.after && <a href={activityPath(query.filter)}>Newest</a>}
      {page.next && <a href={activityPath(query.filter, page.next)}>Older</a>}
    </nav>
  </>
);
