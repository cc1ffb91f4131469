import { client } from "../../ui/state/client.ts";
import { saveOpenTabs, saySaved } from "../parts/saving.ts";
import { lastSave, lastTask } from "../save/last.ts";
import { changeSetting } from "../save/savable.ts";
import { type Destination, sayReport } from "../save/request.ts";
import { closes, lastTaskId, leftOutTabs, offer, readHere, takesOut } from "./here.ts";

/** Saves what is picked. */
export const savePicked = async (place: Destination): Promise<void> => {
  const { what, tabs } = offer.value ?? { tabs: [] };
  // With those that cannot be saved: the worker says so.
  const saved = tabs.filter(({ id = -1 }) => !leftOutTabs.value.has(id));
  const report = await saveOpenTabs(
    saved.flatMap(({ id }) => id ?? []),
    place,
    { isWindow: what === "window", close: closes.value, onUndone: readHere },
  );
  if (report === null) return;
  lastTaskId.value = report.taskId;
  await readHere();
};

/** In ms. For so long, the popup offers to undo what a key or a menu saved. */
const RECENT = 60_000;

/** Says what was saved just before the popup opened. */
export const sayLast = async (): Promise<void> => {
  const last = await lastSave.read();
  const isOurs = last?.accountId === client().account.id;
  if (last && isOurs && Date.now() - last.at < RECENT) saySaved(sayReport(last), readHere);
  lastTaskId.value = await lastTask.read();
};

export const setTakesOut = (takeOut: boolean): void => {
  takesOut.value = takeOut;
  void changeSetting("takeOut", takeOut);
};
