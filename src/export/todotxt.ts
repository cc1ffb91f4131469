import { onOneLine } from "../domain/base/text.ts";
import { type Writer } from "./model.ts";

const PRIORITIES: Readonly<Record<string, string>> = { p1: "A", p2: "B", p3: "C" };
const CLOSED = ["cancelled", "done"];

/** Writes a line of todo.txt for each task, with the addresses of its tabs. */
export const writeTodoTxt: Writer = async function* (tasks) {
  for await (const { folder, title, status, due, tags, tabs } of tasks) {
    const priority = tags.map((tag) => PRIORITIES[tag]).find((letter) => letter !== undefined);
    yield `${[
      CLOSED.includes(status) ? "x" : "",
      priority === undefined ? "" : `(${priority})`,
      onOneLine(title),
      folder === "" ? "" : `+${word(folder)}`,
      ...tags.filter((tag) => !(tag in PRIORITIES)).map((tag) => `@${word(tag)}`),
      due === null ? "" : `due:${due}`,
      ...tabs.map(({ url }) => url),
    ]
      .filter((part) => part !== "")
      .join(" ")}\n`;
  }
};

const word = (text: string): string => onOneLine(text).replaceAll(" ", "_");
