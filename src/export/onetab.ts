import { onOneLine } from "../domain/base/text.ts";
import { isOnWeb, type Writer } from "./model.ts";

/** Writes OneTab's list: a group for each task. The titles of the tasks are lost. */
export const writeOneTab: Writer = async function* (tasks) {
  for await (const { tabs } of tasks) {
    const lines = tabs
      .filter(isOnWeb)
      .map(({ url, title }) => `${url} | ${onOneLine(title).replaceAll(" | ", " ")}\n`);
    if (lines.length > 0) yield `${lines.join("")}\n`;
  }
};
