import { isObject, textField } from "../../domain/base/payload.ts";
import { browser, type Tab } from "../browser/api.ts";
import { keptForSession } from "../browser/kept.ts";
import { inTurn } from "../core/adopt.ts";
import { urlOf } from "./tabs.ts";
import { restFromFinish, wakeToFinish } from "../core/wake.ts";

/** A tab that was saved, to be closed. One that shows another page by then stays open. */
type Closing = { readonly id: number; readonly url: string };

/** What is not closed yet. The worker may be stopped, and Chrome closes no tab while someone drags one. */
const closing = keptForSession("closing", (stored): readonly Closing[] =>
  (Array.isArray(stored) ? stored : [])
    .filter(isObject)
    .map((one) => ({ id: Number(one["id"]), url: textField(one, "url") ?? "" })),
);

/** Notes that tabs are to be closed, before any of them is. */
export const noteClosing = async (tabs: readonly Tab[]): Promise<void> => {
  if (tabs.length === 0) return;
  await wakeToFinish("close");
  const noted = tabs.flatMap((tab) =>
    tab.id === undefined ? [] : [{ id: tab.id, url: urlOf(tab) }],
  );
  await closing.write([...(await closing.read()), ...noted]);
};

const QUEUE = "docket closing";

/** Leaves open what is not closed yet. From then on, nothing more is closed. */
export const forgetClosing = (): Promise<void> =>
  inTurn(async () => {
    await closing.forget();
    await restFromFinish("close");
  }, QUEUE);

/** In ms. For so long, a tab that cannot be closed is tried again at once. Afterwards an alarm does. */
const PATIENCE = 2_000;
const PAUSE = 200;

/**
 * Closes the tabs that are noted. If nothing else would be open, opens an empty tab first, so that the browser stays.
 * Resolves when they are closed, or when some cannot be closed now: an alarm tries again.
 */
export const closeNoted = (): Promise<void> =>
  inTurn(async () => {
    const end = Date.now() + PATIENCE;
    while (!(await closeSome()) && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }, QUEUE);

/** Returns whether none is left. */
const closeSome = async (): Promise<boolean> => {
  const noted = await closing.read();
  if (noted.length === 0) {
    await restFromFinish("close");
    return true;
  }
  const open = await browser.tabs.query({});
  const left = open.filter((tab) =>
    noted.some(({ id, url }) => tab.id === id && urlOf(tab) === url),
  );
  const [first] = left;
  if (first && left.length === open.length)
    await browser.tabs.create({ url: NEW_TAB, active: true, windowId: first.windowId });
  // One that cannot be closed must not keep the others open.
  const tries = left.map(({ id = -1 }) =>
    browser.tabs.remove([id]).then(
      () => id,
      () => null,
    ),
  );
  const closed = await Promise.all(tries);
  const rest = noted.filter(({ id }) => left.some((tab) => tab.id === id) && !closed.includes(id));
  if (rest.length > 0) await closing.write(rest);
  else await closing.forget();
  if (rest.length === 0) await restFromFinish("close");
  return rest.length === 0;
};

const NEW_TAB = "about:blank";
