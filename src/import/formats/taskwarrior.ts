import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import type { Entry, Parser } from "../model.ts";
import { readDue } from "../dates.ts";
import { skip } from "../tab.ts";
import { textOf } from "../text.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

const PRIORITIES: Readonly<Record<string, string>> = { H: "p1", M: "p2", L: "p3" };

/** Reads what `task export` prints. Deleted tasks and the templates of repeated ones are left out. */
export const readTaskwarrior: Parser = ({ json }) => {
  if (!Array.isArray(json)) return null;
  const tasks = json.filter(isObject);
  if (!tasks.some(({ description, uuid, entry }) => description && uuid && entry)) return null;
  return {
    format: "taskwarrior",
    tool: "Taskwarrior",
    entries: tasks.filter((task) => !isLeftOut(task)).map(entryOf),
    skipped: tasks
      .filter(isLeftOut)
      .map(({ description }) => skip(textOf(description), "automatic")),
  };
};

const isLeftOut = ({ status }: Payload): boolean => status === "deleted" || status === "recurring";

const entryOf = (task: Payload): Entry => {
  const words = textOf(task["description"]);
  const annotations = listField(task, "annotations")
    .filter(isObject)
    .map(({ description }) => textOf(description));
  const priority = PRIORITIES[textOf(task["priority"])];
  const { due, note } = dueIn(textOf(task["due"]));
  const project = textOf(task["project"]);
  return {
    folder: project === "" ? null : project.split(".").join(" / "),
    title: withoutMarkdown(words),
    status: task["status"] === "completed" ? "done" : "todo",
    due,
    tags: [...listField(task, "tags").map(textOf), ...(priority === undefined ? [] : [priority])],
    notes: note === "" ? annotations : [...annotations, note],
    links: linksOf([words, ...annotations]),
    isTodo: true,
    key: textOf(task["uuid"]),
  };
};

/** `20260131T230000Z`: a time of day goes to a note. */
const dueIn = (text: string): { readonly due: string | null; readonly note: string } => {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})Z)?$/.exec(text) ?? [];
  const { due } = readDue(`${year}-${month}-${day}`);
  const isSaid = text === "" || (due !== null && (time === undefined || time === "000000"));
  return { due, note: isSaid ? "" : `Due: ${text}` };
};
