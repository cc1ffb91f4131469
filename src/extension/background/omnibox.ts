import { listTasks } from "../../client/lists.ts";
import { hasWords, searchTasks } from "../../client/search.ts";
import { isWebAddress, taskName, type TaskView } from "../../client/views.ts";
import { count } from "../../ui/words/names.ts";
import { browser, type Disposition, isFirefox, type Suggestion } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { reopen } from "../reopen/reopen.ts";
import { shortenedTo } from "../../domain/base/text.ts";

const MOST = 6;
const TASK = "docket task ";

/** Answers in the address bar after `dk`: tasks and saved pages that hold the words typed. */
export const followOmnibox = (): void => {
  const { omnibox } = browser;
  omnibox?.onInputChanged.addListener(
    (text, suggest) => void suggestionsFor(text).then(suggest, () => suggest([])),
  );
  // Where nothing can be read or opened, the person is where they were.
  omnibox?.onInputEntered.addListener((text, where) => void enter(text, where).catch(() => {}));
};

const suggestionsFor = async (text: string): Promise<readonly Suggestion[]> => {
  const client = await currentClient();
  await client.whole;
  return suggestionsIn(listTasks(client.state(), { kind: "open" }), text).map(
    ({ content, description }) => ({ content, description: shown(description) }),
  );
};

/** Returns what the address bar offers of some tasks: those that the words name, then pages, then other tasks. */
export const suggestionsIn = (open: readonly TaskView[], text: string): readonly Suggestion[] => {
  const found = searchTasks(open, text).slice(0, MOST);
  const pages = found
    .flatMap(({ tabs }) => tabs)
    .filter(({ title, url }) => isWebAddress(url) && hasWords(`${title} ${url}`, text))
    .map(({ title, url }) => ({ content: url, description: `${title}: ${url}` }));
  const tasks = found.filter(({ tabs }) => tabs.length > 0);
  const named = tasks.filter((task) => hasWords(taskName(task), text));
  const others = tasks.filter((task) => !named.includes(task));
  // Who looks for a page does not want all tabs of its task.
  return [...named.map(taskLine), ...pages, ...others.map(taskLine)].slice(0, MOST);
};

const taskLine = (task: TaskView): Suggestion => ({
  content: `${TASK}${task.id}`,
  description: `Open ${count(task.tabs.length, "tab")} of “${taskName(task)}”`,
});

/** Chrome reads descriptions as XML. */
const shown = (text: string): string => {
  const plain = shortenedTo(text, 200).toWellFormed();
  return isFirefox()
    ? plain
    : plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
};

/** What was only typed opens the best that was found. */
const enter = async (text: string, where: Disposition): Promise<void> => {
  const [best] = text.startsWith(TASK) || isWebAddress(text) ? [] : await suggestionsFor(text);
  const chosen = best?.content ?? text;
  if (chosen.startsWith(TASK))
    await reopen(
      { taskId: chosen.slice(TASK.length), names: null, where: "here" },
      crypto.randomUUID(),
    );
  else if (isWebAddress(chosen)) await openPage(chosen, where);
};

/** In this tab, or in a new one if the person holds Alt. */
const openPage = async (url: string, where: Disposition): Promise<void> => {
  const [here] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (where !== "currentTab" || here?.id === undefined)
    await browser.tabs.create({ url, active: where !== "newBackgroundTab" });
  else await browser.tabs.update(here.id, { url });
};
