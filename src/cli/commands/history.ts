import {
  type Child,
  CHILD_NAMES,
  compare,
  type Comparison,
  FIELD_NAMES,
  withNames,
} from "../../domain/history/comparison.ts";
import { readContainerNames, readNames } from "../../db/history/walk.ts";
import type { Store } from "../../db/store.ts";
import { listHistory } from "../../db/history/history.ts";
import { doerOf, tell } from "../../domain/history/event.ts";
import { limitOf } from "./activity.ts";
import { type Command, theAccount, withStore } from "../command.ts";
import { printList, type Row, time } from "../terminal.ts";
import { shortenedTo } from "../../domain/base/text.ts";

export const historyCommand: Command = {
  name: "history",
  usage: "TASK [--account EMAIL] [--limit N] [--json]",
  about: "list what happened to a task, given its ID, newest first",
  flags: { account: true, limit: true, json: false },
  words: [1, 1],
  run: async (run) => {
    const limit = limitOf(run);
    const rows = await withStore(run, async (store) => {
      const { id } = await theAccount(run, store);
      return rowsOf(store, id, run.words[0] ?? "", limit);
    });
    printList(run, rows, "No history is kept for this task.");
    return 0;
  },
};

const rowsOf = async (
  store: Store,
  accountId: number,
  task: string,
  limit: number,
): Promise<readonly Row[]> => {
  const page = { after: null, limit };
  const { steps } = await listHistory(store, accountId, "sync_tasks", task, page);
  const names = await readNames(store, accountId);
  const compared = steps.map(({ version, refused, before, after }) => ({
    event: { ...version, refused },
    // For a version that was refused, show what it would have changed.
    comparison: refused ? compare(after, before) : compare(before, after),
  }));
  const moves = compared.flatMap(({ comparison }) => comparison.fields);
  const places = await readContainerNames(store, accountId, moves);
  return compared.map(({ event, comparison }) => {
    const { words, name } = doerOf(event, names);
    const fields = comparison.fields.map((field) => withNames(field, places));
    return {
      at: time(event.at),
      who: words + name,
      what: tell(event, names).join(""),
      difference: oneLine({ ...comparison, fields }),
    };
  });
};

/** The most characters shown of one value, so that it fits on a line. */
const MOST = 80;

/** The differences between two versions of a task, on one line; null if there are none. */
export const oneLine = ({
  life,
  fields,
  children,
  counted,
  reordered,
  others,
}: Comparison): string | null => {
  const parts = [
    ...(life === null ? [] : [life === "deleted" ? "deleted" : "restored"]),
    ...fields.map(({ field, from, to }) => `${FIELD_NAMES[field]}: ${arrow(from, to)}`),
    ...children.map(({ list, from, to }) => `${CHILD_NAMES[list]}: ${arrow(text(from), text(to))}`),
    ...counted.map(
      ({ list, from, to }) => `${CHILD_NAMES[list]}s: ${from} -> ${to}, too many to list`,
    ),
    ...reordered.map((list) => `${CHILD_NAMES[list]}s reordered`),
    ...(others.length === 0 ? [] : [`other data: ${short(others.join(", "))}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
};

const text = (child: Child | null): string | null => {
  if (child === null) return null;
  const { title, value } = child;
  return title === null || title === value ? value : `${short(title)} ${short(value)}`;
};

const arrow = (from: string | null, to: string | null): string => {
  if (from === null) return `+ ${short(to ?? "")}`;
  return to === null ? `- ${short(from)}` : `${short(from)} -> ${short(to)}`;
};

/** A value that a person or a program chose, cut to fit on one line. */
export const short = (value: string): string => {
  return shortenedTo(value.replaceAll(/\s+/g, " ").toWellFormed(), MOST);
};
