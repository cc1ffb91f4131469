import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { readDue } from "../dates.ts";
import { htmlWords } from "../html-words.ts";
import type { Entry, Parser } from "../model.ts";
import { textOf } from "../text.ts";
import { pathName } from "../tree.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

/** Vikunja's priorities, from low to "do now". */
const PRIORITIES = ["", "p3", "p2", "p1", "p1", "p1"];

/** Reads `data.json` of Vikunja's export: each project is a folder, each task a task. */
export const readVikunja: Parser = ({ json }) => {
  if (!Array.isArray(json)) return null;
  const projects = json.filter(isObject);
  if (!projects.some(isProject)) return null;
  const byId = new Map(projects.map((project) => [project["id"], project]));
  const entries = projects.flatMap((project) => {
    const folder = pathName(pathOf(project, byId));
    return listField(project, "tasks")
      .filter(isObject)
      .map((task) => entryOf(task, folder));
  });
  return { format: "vikunja", tool: "Vikunja", entries, skipped: [] };
};

const isProject = (project: Payload): boolean =>
  typeof project["title"] === "string" && "tasks" in project && "hex_color" in project;

/** The names of a project and of those above it. One that is above itself has none. */
const pathOf = (project: Payload, byId: ReadonlyMap<unknown, Payload>): readonly string[] => {
  const path: Payload[] = [];
  for (let at: Payload | undefined = project; at && !path.includes(at);) {
    path.unshift(at);
    at = byId.get(at["parent_project_id"]);
  }
  return path.map(({ title }) => textOf(title) || "Untitled");
};

const entryOf = (task: Payload, folder: string | null): Entry => {
  const words = textOf(task["title"]);
  const comments = listField(task, "comments")
    .filter(isObject)
    .map(({ comment }) => htmlWords(textOf(comment)));
  const texts = [htmlWords(textOf(task["description"])), ...comments];
  const { due, note } = dueIn(textOf(task["due_date"]));
  const labels = listField(task, "labels")
    .filter(isObject)
    .map(({ title }) => textOf(title));
  return {
    folder,
    title: withoutMarkdown(words),
    status: task["done"] === true ? "done" : "todo",
    due,
    tags: [...labels, PRIORITIES[Number(task["priority"])] ?? ""],
    notes: [...texts, note],
    links: linksOf([words, ...texts]),
    isTodo: true,
    key: `${task["id"]}`,
  };
};

/** A time of day goes to a note. `0001-01-01T00:00:00Z` is no date. */
const dueIn = (text: string): { readonly due: string | null; readonly note: string } => {
  const { due } = readDue(text.replace("T", " "));
  if (due === null || due < "1990") return { due: null, note: "" };
  return { due, note: text.includes("T00:00:00") ? "" : `Due: ${text}` };
};
