import type { RecordRow } from "../../../src/domain/records/row.ts";

/** What a search must find, from the records alone: looks at every payload, and handles only ASCII. */
export const scan = (rows: readonly RecordRow[], q: string): readonly string[] =>
  rows
    .filter(({ table, deletedAt, payload }) => {
      if (table !== "sync_tasks" || deletedAt !== null) return false;
      return (JSON.parse(payload) as Task).bucket_id !== "trash";
    })
    .flatMap((row) => {
      const tier = tierOf(columnsOf(JSON.parse(row.payload) as Task), q.trim().split(/ +/));
      return tier === -1 ? [] : [{ tier, row }];
    })
    .toSorted(
      (a, b) =>
        a.tier - b.tier || b.row.changedAt - a.row.changedAt || (a.row.id < b.row.id ? 1 : -1),
    )
    .map(({ row }) => row.id);

type Task = {
  readonly title?: string;
  readonly bucket_id?: string | null;
  readonly pages?: readonly { readonly url: string; readonly title?: string }[];
  readonly notes?: readonly { readonly text: string }[];
};

const tokens = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** The tokens of each part: title, tabs' titles, notes, URLs. */
const columnsOf = ({
  title = "",
  pages = [],
  notes = [],
}: Task): readonly (readonly string[])[] => [
  tokens(title),
  tokens(pages.map((page) => page.title ?? "").join(" ")),
  tokens(notes.map(({ text }) => text).join(" ")),
  tokens(pages.map(({ url }) => decodeURIComponent(url.replace(/^https?:/, ""))).join(" ")),
];

const tierOf = (columns: readonly (readonly string[])[], words: readonly string[]): number =>
  [1, 2, 3, 4]
    .flatMap((places) =>
      [false, true].map((begins) =>
        words.every((word) =>
          columns.slice(0, places).some((column) => holds(column, tokens(word), begins)),
        ),
      ),
    )
    .indexOf(true);

/** Whether the tokens of a word are adjacent. If it `begins`, a prefix is enough for the last one. */
const holds = (column: readonly string[], word: readonly string[], begins: boolean): boolean =>
  column.some((_, at) =>
    word.every((token, index) => {
      const here = column[at + index] ?? "";
      const isLast = index === word.length - 1;
      const loose = begins && isLast && token.length >= 3 && /[a-z]/.test(token);
      return loose ? here.startsWith(token) : here === token;
    }),
  );
