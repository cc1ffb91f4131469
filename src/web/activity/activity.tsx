import type { ApiKey } from "../../domain/people/api-key.ts";
import { type CallPage, countCalls, listCalls } from "../../db/calls/activity-pages.ts";
import { listKeys } from "../../db/people/api-keys.ts";
import { readTitles } from "../../db/records/lookup.ts";
import type { SignedInContext } from "../shared/context.ts";
import { keyPath } from "../keys/table.tsx";
import { html, type PageReply } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/time.tsx";
import { Chart } from "./chart.tsx";
import { activityPath, type Asked, readAsked } from "./filter.ts";
import { FilterForm } from "./form.tsx";
import { chartDays, seriesOf } from "./series.ts";
import { CallTable } from "./table.tsx";
import type { Titles } from "./touched.tsx";

/** Rows on one page. */
const ROWS = 50;

/** `GET /account/activity`: what the account's keys did, newest first. The first page starts with a chart. */
export const getActivity = async (context: SignedInContext): Promise<PageReply> => {
  const { store } = context;
  const { id: accountId } = context.who.account;
  const keys = await listKeys(store, accountId);
  const asked = readAsked(context.query, keys);
  const page = await listCalls(store, accountId, asked.filter, { after: asked.after, limit: ROWS });
  const touched = page.rows.flatMap((row) => row.touched ?? []);
  const titles = await readTitles(store, accountId, touched);
  return html(
    <Layout title="Activity" account={context.who.account} at="/account/activity">
      {asked.problem && (
        <p class="problem banner" role="alert">
          {asked.problem}
        </p>
      )}
      {asked.after === null && (await chartOf(context, asked, keys))}
      <section>
        <h2>{asked.after === null ? "Latest calls" : "Older calls"}</h2>
        <FilterForm filter={asked.filter} keys={keys.toReversed()} now={context.now} />
        {asked.filter.keyId !== null && (
          <p>
            <a href={keyPath(asked.filter.keyId, "undo")}>Undo this key’s changes</a>
          </p>
        )}
        <Calls page={page} asked={asked} keys={keys} titles={titles} />
      </section>
    </Layout>,
    { status: asked.problem === null ? 200 : 422 },
  );
};

/** Calls per day, for the chosen key or for all keys. */
const chartOf = async (context: SignedInContext, { filter }: Asked, keys: readonly ApiKey[]) => {
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
  readonly asked: Asked;
  readonly keys: readonly ApiKey[];
  readonly titles: Titles;
};

const Calls = ({ page, asked, keys, titles }: CallsProps) => (
  <>
    {page.rows.length === 0 ? (
      <p>{page.next ? "No calls found so far." : "No calls found."}</p>
    ) : (
      <CallTable rows={page.rows} keys={byId(keys)} titles={titles} />
    )}
    {page.searchedTo !== null && (
      <Notice>
        Searched back to <Time at={page.searchedTo} />. There may be more calls before that. Choose
        “Older” to keep searching.
      </Notice>
    )}
    <nav class="pager" aria-label="Pages">
      {asked.after && <a href={activityPath(asked.filter)}>Newest</a>}
      {page.next && <a href={activityPath(asked.filter, page.next)}>Older</a>}
    </nav>
  </>
);
