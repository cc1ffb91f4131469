import { listTasks } from "../../src/client/lists.ts";
import { rankTasks } from "../../src/client/rank.ts";
import { compareHits, prepareSearch, searchHits } from "../../src/client/search.ts";
import { EMPTY_SCREEN, showRows } from "../../src/client/shown.ts";
import { newRow, type Row } from "../../src/client/store/row.ts";

// Prints how long lists and search take over 10,000 tasks of 8 tabs: bun test/client/measure.ts

const WORDS = "garden invoice release holiday kitchen museum budget review draft ticket".split(" ");
const word = (at: number): string => WORDS[(at * 7919) % WORDS.length] ?? "";

const rowOf = (at: number): Row => {
  const pages = Array.from({ length: 8 }, (_, tab) => ({
    id: `${at}-${tab}`,
    url: `https://${word(at + tab)}.example/${word(tab * at)}/${at}?page=${tab}&ref=${word(at * 3)}`,
    title: `${word(at + tab)} ${word(at * tab)} – page ${tab} of ${at}`,
    added_at: "2026-03-04T12:00:00.000Z",
  }));
  const payload = {
    title: `${word(at)} ${word(at * 31)} ${at}`,
    status: at % 4 === 0 ? "done" : "todo",
    position: `a${at}`,
    pages,
    notes: [{ id: `${at}-note`, text: `Ask ${word(at * 5)} about the ${word(at * 11)}.` }],
  };
  const updatedAt = new Date(1_772_000_000_000 + at * 1_000).toISOString();
  return { ...newRow("sync_tasks", `task-${at}`), server: { payload, updatedAt, deletedAt: null } };
};

const timed = <T>(what: string, job: () => T): T => {
  const began = performance.now();
  const result = job();
  process.stdout.write(`${what.padEnd(42)} ${(performance.now() - began).toFixed(1)} ms\n`);
  return result;
};

const rows = Array.from({ length: 10_000 }, (_, at) => rowOf(at));
const screen = timed("views of 10,000 tasks", () => showRows(EMPTY_SCREEN, rows));
timed("one more change shown", () => showRows(screen, [rowOf(5)]));
const open = timed("list of open tasks", () => listTasks(screen, { kind: "open" }));
timed("text prepared for the search", () => prepareSearch(screen.tasks.values(), 10_000));
for (const query of [
  "g",
  "ga",
  "gar",
  "garden",
  "garden mus",
  "garden museum 42",
  "garden.example/kitchen",
])
  timed(`list and search: ${query}`, () =>
    searchHits(listTasks(screen, { kind: "open" }), query).toSorted(compareHits),
  );
const done = timed("list of done tasks", () => listTasks(screen, { kind: "done" }));
for (const query of ["", "g", "ga", "garden", "garden mus", "page", "garden museum 42"])
  timed(`picker and palette: ${query}`, () =>
    rankTasks([...open, ...done], query, { usedAt: () => "", most: 50 }),
  );
process.stdout.write(`${open.length} open tasks\n`);
