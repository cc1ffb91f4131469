import { escapedMarkdown } from "../domain/base/markdown.ts";
import { onOneLine } from "../domain/base/text.ts";
import { type ExportedTask, type Writer } from "./model.ts";

/**
 * Writes a heading for each folder, and one for each task with its links as a list and its notes as paragraphs. A task
 * without tabs is a line of a checklist, with its notes below.
 */
export const writeMarkdown: Writer = async function* (tasks) {
  let folder = "";
  for await (const task of tasks) {
    if (task.folder !== folder) yield `# ${escapedMarkdown(onOneLine(task.folder))}\n\n`;
    ({ folder } = task);
    yield partOf(task);
  }
};

const partOf = (task: ExportedTask): string => {
  const { title, status, tabs, notes } = task;
  if (tabs.length === 0)
    return [
      `- [${MARKS[status] ?? " "}] ${escapedMarkdown(onOneLine(title))}\n`,
      notes.map((note) => note.replaceAll(/^/gm, "  > ")).join("\n\n"),
      notes.length === 0 ? "\n" : "\n\n",
    ].join("");
  const facts = factsOf(task);
  return [
    `## ${escapedMarkdown(onOneLine(title))}\n\n`,
    facts === "" ? "" : `${facts}\n\n`,
    ...tabs.map((tab) => `- [${escapedMarkdown(onOneLine(tab.title))}](${target(tab.url)})\n`),
    "\n",
    ...notes.map((note) => `${note}\n\n`),
  ].join("");
};

const MARKS: Readonly<Record<string, string>> = { done: "x", cancelled: "-" };

const factsOf = ({ status, due, tags }: ExportedTask): string =>
  [
    status === "todo" ? "" : status,
    due === null ? "" : `due ${due}`,
    tags.map((tag) => `#${tag.replaceAll(/\s+/g, "-")}`).join(" "),
  ]
    .filter((fact) => fact !== "")
    .join(" · ");

/** An address with signs that end a link is enclosed. */
const target = (url: string): string => (/[\s()<>\\]/.test(url) ? `<${angled(url)}>` : url);

const angled = (url: string): string =>
  url.replaceAll(/[\s<>]/g, (sign) => encodeURIComponent(sign));
