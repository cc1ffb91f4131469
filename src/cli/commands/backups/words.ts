import type { Contents } from "../../../db/sqlite/files/copy.ts";
import { formatInstant } from "../../../domain/base/instant.ts";

/** Says what is in a backup. */
export const inWords = (contents: Contents | "unreadable"): string => {
  if (contents === "unreadable") return "cannot be counted";
  const { accounts, tasks, changedAt } = contents;
  const newest = changedAt === null ? "no change yet" : `newest change ${formatInstant(changedAt)}`;
  return `${counted(accounts, "account")}, ${counted(tasks, "task")}, ${newest}`;
};

export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;
