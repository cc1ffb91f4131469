import { type TabView, taskName } from "../../client/views.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { client, deletedTasks, tasks } from "../state/client.ts";
import { say } from "../state/notice.ts";
import { count } from "../words/names.ts";
import { markdownOf, tasksAsMarkdown } from "../words/links.ts";
import { today } from "../state/screen.ts";

/** Copies tabs as plain addresses or as a Markdown list. */
export const copy = async (tabs: readonly TabView[], form: "links" | "markdown"): Promise<void> => {
  const text = form === "markdown" ? markdownOf(tabs) : tabs.map(({ url }) => url).join("\n");
  await copyAndSay(text, `${count(tabs.length, "link")} copied`);
};

/** Copies tasks with their tabs and notes as a Markdown list. */
export const copyTasks = async (ids: readonly string[]): Promise<void> => {
  await client().whole;
  const copied = ids.flatMap((id) => tasks.value.get(id) ?? deletedTasks.value.get(id) ?? []);
  const text = tasksAsMarkdown(
    copied.map(({ title, status, tabs, notes }) => ({
      title: taskName({ title }),
      isDone: isClosed(status),
      links: tabs,
      notes: notes.map((note) => note.text),
    })),
  );
  await copyAndSay(text, `${count(copied.length, "task")} copied as Markdown`);
};

/** Copies a text, and says so, or that the browser did not allow it. */
export const copyAndSay = async (text: string, done: string): Promise<void> =>
  say(
    (await copyText(text))
      ? { text: done, kind: "done" }
      : {
          text: "Your browser did not allow copying. Allow this page to use the clipboard, then try again.",
          kind: "problem",
        },
  );

/** The clipboard is there over https and on localhost only. Elsewhere, text is copied the old way. */
const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => copyOldWay(text),
      )
    : Promise.resolve(copyOldWay(text));

/** While a dialog is open, the browser selects nothing outside of it. */
const copyOldWay = (text: string): boolean => {
  const before = document.activeElement as HTMLElement | null;
  const area = Object.assign(document.createElement("textarea"), { value: text });
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  before?.focus({ preventScroll: true });
  return isCopied;
};

/** Saves everything that this browser holds as a file. */
export const exportAll = async (): Promise<void> => {
  const text = await client().export();
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), {
    href: url,
    download: `docket-${today.value}.json`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
