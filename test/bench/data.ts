import { formatInstant, type Instant } from "../../src/domain/base/instant.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import { dice } from "../support/random.ts";

/**
 * Tasks as a person may have them, the same in every run. All in ASCII: other text costs both sides
 * the same.
 */

export type Size = "large" | "small";

/** The tabs and notes of one task. The jobs measure `large` tasks, which take about 1.8 KB. */
const CHILDREN = { large: { tabs: 8, notes: 2 }, small: { tabs: 1, notes: 1 } } as const;

/** A word in `RARE_TASKS` of an account's tasks, however many it has. */
export const RARE = "zebra";
const RARE_TASKS = 20;

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split(" ");
const WORDS = Array.from({ length: 2_000 }, (_, at) =>
  [at % 20, Math.floor(at / 20) % 20, (at * 7) % 20, Math.floor(at / 400)]
    .map((syllable) => SYLLABLES[syllable] ?? "")
    .join(""),
);

const STATUSES = ["todo", "in_progress", "blocked"];

/**
 * The payload of task `at` in an account of `tasks`. A later `version` has another title and
 * another last tab.
 */
export const payloadOf = (at: number, tasks: number, size: Size, version = 0): Payload => {
  const random = dice(at * 1_000 + 1);
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[random(WORDS.length)] ?? "").join(" ");
  const rare = at % Math.ceil(tasks / RARE_TASKS) === 0 ? ` ${RARE}` : "";
  const { tabs, notes } = CHILDREN[size];
  const later = version === 0 ? "" : ` v${version}`;
  const title = `${words(5)}${rare}${later}`;
  const pages = Array.from({ length: tabs }, (_, tab) => {
    const path = `${words(1)}/${at}-${tab}${tab === tabs - 1 && version > 0 ? `-${version}` : ""}`;
    return {
      id: `p${at}-${tab}`,
      url: `https://${words(1)}.example.org/${path}`,
      title: words(6),
      pinned: false,
    };
  });
  const texts = Array.from({ length: notes }, (_, note) => ({
    id: `n${at}-${note}`,
    text: words(14),
  }));
  const status = STATUSES[at % STATUSES.length] ?? "todo";
  return { title, status, colour: null, project_id: null, bucket_id: null, pages, notes: texts };
};

export const idOf = (prefix: string, at: number): string =>
  `${prefix}-${String(at).padStart(7, "0")}`;

/** When the devices made version 0. Each later version is some seconds younger. */
const MADE: Instant = Date.parse("2026-01-31T09:30:00.000Z");

/** Some of an account's records, as a device pushes them. */
export type Batch = {
  readonly prefix: string;
  readonly from: number;
  readonly count: number;
  readonly tasks: number;
  readonly size: Size;
  readonly version: number;
};

export const changesOf = ({ prefix, from, count, tasks, size, version }: Batch) =>
  Array.from({ length: count }, (_, index) => ({
    table: "sync_tasks",
    id: idOf(prefix, from + index),
    updated_at: formatInstant(MADE + version * 1_000),
    payload: payloadOf(from + index, tasks, size, version),
  }));

/** The body of a `POST /tasks`: a task with three tabs and a note, without the rare word. */
export const newTaskBody = (at: number): string => {
  const { title, pages, notes } = payloadOf(at + 1, 1_000_000, "large") as {
    readonly title: string;
    readonly pages: readonly { readonly url: string; readonly title: string }[];
    readonly notes: readonly { readonly text: string }[];
  };
  const tabs = pages.slice(0, 3).map((page) => ({ url: page.url, title: page.title }));
  return JSON.stringify({ title, tabs, notes: notes.slice(0, 1).map(({ text }) => text) });
};

/** A push of 15 MiB: 500 tasks of many notes. */
export const longPush = (): string =>
  JSON.stringify(
    Array.from({ length: 500 }, (_, at) => ({
      table: "sync_tasks",
      id: idOf("long", at),
      updated_at: new Date().toISOString(),
      payload: {
        title: `Long ${at}`,
        status: "todo",
        pages: [],
        notes: Array.from({ length: 150 }, (_note, note) => ({
          id: `a note of a long task ${at}-${note}`,
          text: `${WORDS[(at * 7 + note) % WORDS.length]} `.repeat(18),
        })),
      },
    })),
  );
