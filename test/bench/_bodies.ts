import type { Genes } from "./_genes.ts";
import { textsOf } from "./_texts.ts";

// What the calls of the search for the worst send.

const MIB = 1024 * 1024;

/** How many bytes a character takes in JSON, roughly. */
const BYTES: Partial<Record<Genes["content"], number>> = {
  han: 3,
  "one han": 3,
  emoji: 2,
  accents: 1.7,
  escapes: 6,
  signs: 1.1,
};

/** Values of a shape that take about so many bytes as JSON. */
export const fieldsOf = (
  genes: Genes,
  bytes: number,
  seed = genes.seed,
): Readonly<Record<string, unknown>> => {
  const text = textsOf(genes.content, seed);
  const each = BYTES[genes.content] ?? 1;
  const pieces = 1 + Math.floor((genes.pieces * bytes) / 60);
  const long = Math.max(1, Math.floor((bytes / pieces - 20) / each));
  switch (genes.shape) {
    case "notes":
      return { notes: many(pieces, () => text(long)) };
    case "tabs":
      return {
        pages: many(pieces, (at) => ({
          url: `https://s${seed}.example/${at}/${encodeURIComponent(text(Math.min(long, 8))).slice(0, 30)}`,
          title: text(Math.max(1, long - 40)),
        })),
      };
    case "tags":
      return { tags: many(pieces, () => text(long)) };
    case "title":
    case "text":
      return { title: text(Math.floor(bytes / each)) };
    case "names":
      return Object.fromEntries(
        many(pieces, (at) => [`${at} ${text(Math.max(1, long - 10))}`, at]),
      );
    case "numbers":
      return { numbers: many(bytes / 2, () => 0) };
    case "empty lists":
      return { lists: many(bytes / 3, () => []) };
    case "depth":
      return { lists: many(bytes / 122, () => deep(60)) };
    case "spaces":
      return { title: " ".repeat(bytes) };
  }
};

const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: Math.floor(count) }, (_, at) => make(at));

const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);

/** Any JSON of about so many bytes: no list of records. */
export const anything = (genes: Genes, bytes: number): string => {
  const times = (text: string): string => text.repeat(Math.floor(bytes / text.length));
  switch (genes.shape) {
    case "numbers":
      return `[${times("0,")}0]`;
    case "empty lists":
      return `[${times("[],")}0]`;
    case "depth":
      return `[${times(`${"[".repeat(60)}${"]".repeat(60)},`)}0]`;
    case "spaces":
      return genes.pieces < 0.5 ? `[${times(" ")}]` : `[]${times(" ")}`;
    case "text":
      return JSON.stringify(times("a"));
    default:
      return genes.pieces < 0.5
        ? JSON.stringify(fieldsOf(genes, bytes))
        : `[${JSON.stringify(fieldsOf(genes, bytes))}]`;
  }
};

const [FIRST, AHEAD] = ["2026-01-01T00:00:00.000Z", 3_600_000];

/** The body of a push, at most 15 MiB. */
export const pushOf = (genes: Genes): string => {
  const count = 1 + Math.floor(genes.count * 499);
  const bytes = Math.min((15 * MIB) / count - 400, MIB - 20_000) * genes.size;
  const now = Date.now();
  const time = { now, before: Date.parse(FIRST) + 1, ahead: now + AHEAD }[genes.when];
  const records = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      table: genes.table,
      id: idOf(genes, at),
      updated_at: new Date(time + at).toISOString(),
      ...(genes.deleted ? { deleted_at: new Date(now).toISOString() } : {}),
      ...{
        nothing: {},
        none: { expected_updated_at: null },
        "the first": { expected_updated_at: FIRST },
      }[genes.expects],
      payload: {
        title: `common ${at}`,
        kind: genes.deleted ? "list" : "trash",
        ...fieldsOf(genes, bytes, genes.seed + (at % 7)),
      },
    }),
  );
  return `[${records.join()}]`;
};

/** Records of the world in which the search takes place: see `_world.ts`. */
export const idOf = ({ ids, table, seed }: Genes, at: number): string => {
  if (table === "sync_projects") return `f${at}`;
  if (table === "sync_buckets") return `b${at}`;
  return {
    new: `n${seed} ${at}`,
    large: `large${at % 500}`,
    "long past": `past${at % 50}`,
    one: `one${seed}`,
  }[ids];
};
