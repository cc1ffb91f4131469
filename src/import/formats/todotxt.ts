import { readDue } from "../dates.ts";
import type { Entry, Parser } from "../model.ts";
import { oneLine, withPlainEnds } from "../text.ts";
import { linksOf } from "../words.ts";

const PRIORITIES: Readonly<Record<string, string>> = { A: "p1", B: "p2", C: "p3" };
const MARKED =
  /^(?:x |\([A-Z]\) |\d{4}-\d\d-\d\d )|(?:^|\s)(?:[+@][^\s+@]+|due:\d{4}-\d\d-\d\d)(?=\s|$)/;
const DATES = /^(?:\d{4}-\d\d-\d\d ){1,2}/;

/** Reads a list of todo.txt: most of its lines have marks of that format. */
export const readTodoTxt: Parser = ({ text }) => {
  const lines = withPlainEnds(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const marked = lines.filter((line) => MARKED.test(line));
  if (marked.length * 2 <= lines.length || lines.some((line) => /^(?:#|[-*+] )/.test(line)))
    return null;
  return { format: "todotxt", tool: "todo.txt", entries: lines.map(entryOf), skipped: [] };
};

const entryOf = (line: string): Entry => {
  const isDone = line.startsWith("x ");
  const rest = (isDone ? line.slice(2) : line).replace(DATES, "");
  const [, letter] = /^\(([A-Z])\) /.exec(rest) ?? [];
  const words = rest.replace(/^\([A-Z]\) /, "").replace(DATES, "");
  const projects = marksIn(words, "+");
  const priority = letter === undefined ? undefined : PRIORITIES[letter];
  const [, day = ""] = /(?:^|\s)due:(\S+)/.exec(words) ?? [];
  const [folder = null, ...others] = projects.map((name) => name.replaceAll("_", " "));
  const own = oneLine(words.replaceAll(/(?:^|\s)(?:[+@][^\s+@]+|due:\S+)(?=\s|$)/g, " "), 5_000);
  // Addresses at the end are tabs, and no words.
  const title = own.replace(/(?:\s+https?:\/\/\S+)+$/i, "");
  return {
    folder,
    title: title === "" ? own : title,
    status: isDone ? "done" : "todo",
    due: readDue(day).due,
    tags: [...marksIn(words, "@"), ...others, ...(priority === undefined ? [] : [priority])],
    links: linksOf([words]),
    isTodo: true,
  };
};

/** The words that begin with this sign. */
const marksIn = (words: string, sign: string): readonly string[] =>
  words
    .split(/\s+/)
    .filter((word) => word.startsWith(sign) && word.length > 1)
    .map((word) => word.slice(1));
