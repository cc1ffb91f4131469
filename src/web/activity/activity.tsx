import type { ApiKey } from "../../apikey.ts";
import { type CallPage, countCalls, listCalls } from "../../db/calls.ts";
import { listKeys } from "../../db/keys.ts";
import { readTitles } from "../../db/shown.ts";
import type { SignedInAsk } from "../ask.ts";
import { keyPath } from "../keys/table.tsx";
import { html, type PageReply } from "../reply.tsx";
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
export const getActivity = async (ask: SignedInAsk): Promise<PageReply> => {
  const { store } = ask;
  const { id: accountId } = ask.who.account;
  const keys = await listKeys(store, accountId);
  const asked = readAsked(ask.query, keys);
  const page = await listCalls(store, accountId, asked.filter, { after: asked.after, limit: ROWS });
  const touched = page.rows.flatMap((row) => row.touched ?? []);
  const titles = await readTitles(store, accountId, touched);
  return html(
    <Layout title="Activity" account={ask.who.account} at="/account/activity">
      {asked.problem && (
        <p class="problem banner" role="alert">
          {asked.problem}
        </p>
      )}
      {asked.after === null && (await chartOf(ask, asked, keys))}
      <section>
        <h2>{asked.after === null ? "Latest calls" : "Older calls"}</h2>
        <FilterForm filter={asked.filter} keys={keys.toReversed()} now={ask.now} />
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
const chartOf = async (ask: SignedInAsk, { filter }: Asked, keys: readonly ApiKey[]) => {
  const days = chartDays(ask.now);
  const counts = await countCalls(ask.store, ask.who.account.id, days);
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
