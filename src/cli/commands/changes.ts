import { VERSION } from "../../domain/base/release.ts";
import { HOUR, parseInstant, SECOND } from "../../domain/base/instant.ts";
import { parseLifetime } from "../../domain/people/api-key.ts";
import { printableJson, shortenedTo } from "../../domain/base/text.ts";
import { UsageError } from "../../domain/base/usage.ts";
import type { Command, Run } from "../command.ts";
import { keepOffProxies } from "../../server/proxies.ts";
import { plain } from "../terminal.ts";
import { addressOf, keyOf } from "./mcp.ts";

/** How it ends if nothing has changed in the time given. */
const NOTHING = 3;

/** For programs that want to be woken: it waits for news, and its end says that there is some. */
export const changesCommand: Command = {
  name: "changes",
  usage: "[--since TIME] [--wait 1h] [--follow] [--json]",
  about:
    "wait until something changes on the server at DOCKET_URL, as the key in DOCKET_API_KEY sees it; ends with 0 at the first news, and with 3 if there is none",
  flags: { since: true, wait: true, follow: false, json: false },
  words: [0, 0],
  run: async (run) => {
    const wait = waitOf(run);
    const follows = run.has("follow");
    const ask = asker(run);
    let since = sinceOf(run) ?? (await ask(null, 0)).server_time;
    const ends = performance.now() + wait;
    let hadNews = false;
    for (;;) {
      const left = follows ? LONGEST : Math.max(0, ends - performance.now());
      const { changes, server_time, has_more } = await ask(since, Math.min(left, LONGEST));
      since = server_time;
      for (const change of changes)
        run.print(run.has("json") ? printableJson(change) : line(change));
      hadNews ||= changes.length > 0;
      if (has_more) continue;
      if (!follows && (hadNews || performance.now() >= ends)) break;
    }
    run.say(`To go on from here: --since ${since}`);
    return hadNews ? 0 : NOTHING;
  },
};

/** The longest that the server lets one call wait, in ms. */
const LONGEST = 25 * SECOND;
/** How long to wait before the server is asked again after it did not answer, in ms. */
const PAUSE = 5 * SECOND;

const waitOf = (run: Run): number => {
  const text = run.flag("wait");
  const wait = text === undefined ? 0 : parseLifetime(text);
  if (wait !== null && wait <= 24 * HOUR) return wait;
  throw new UsageError("--wait must be a length of time of at most a day, such as 30m or 1h.");
};

const sinceOf = (run: Run): string | null => {
  const since = run.flag("since");
  if (since === undefined || parseInstant(since) !== null) return since ?? null;
  throw new UsageError("--since must be a server_time, such as 2026-01-31T09:30:00.000Z.");
};

type Change = {
  readonly type: string;
  readonly id: string;
  readonly state: string;
  readonly by: string | null;
  readonly by_key: string | null;
  readonly at: string;
  readonly task: { readonly title: string } | null;
};

type Page = {
  readonly changes: readonly Change[];
  readonly server_time: string;
  readonly has_more: boolean;
};

type Ask = (since: string | null, wait: number) => Promise<Page>;

/** Returns what asks the server, and asks again while that is away or busy. */
const asker = (run: Run): Ask => {
  const url = addressOf(run, "/api/public/v1/changes");
  const headers = {
    authorization: `Bearer ${keyOf(run)}`,
    "user-agent": `docket-changes/${VERSION}`,
  };
  keepOffProxies(url);
  return async (since, wait) => {
    const asked = new URL(url);
    if (since !== null) asked.searchParams.set("since", since);
    if (since !== null && wait >= SECOND)
      asked.searchParams.set("wait", String(Math.floor(wait / SECOND)));
    for (let told = false; ;) {
      const signal = AbortSignal.timeout(LONGEST + 10 * SECOND);
      const reply = await fetch(asked, { headers, redirect: "manual", signal }).catch(() => null);
      if (reply?.ok) return (await reply.json()) as Page;
      if (reply !== null && reply.status < 500 && reply.status !== 429)
        throw new UsageError(await sentenceOf(reply));
      if (!told) run.say(`${url.origin} does not answer now. It is asked again until it does.`);
      told = true;
      await Bun.sleep(Math.max(PAUSE, Number(reply?.headers.get("retry-after")) * SECOND || 0));
    }
  };
};

const sentenceOf = async (reply: Response): Promise<string> => {
  const said = (await reply.json().catch(() => null)) as { readonly error?: unknown } | null;
  return typeof said?.error === "string" ? said.error : `The server answered ${reply.status}.`;
};

const line = ({ at, type, state, id, by, by_key, task }: Change): string =>
  [at, type, state, id, by_key ?? by ?? "-", plain(shortenedTo(task?.title ?? "-", 80))].join("  ");
