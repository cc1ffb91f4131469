import { say } from "../../app/state/notice.ts";
import { count } from "../../app/words/count.ts";
import { askWorker } from "../background/messages.ts";
import { lastSave, lastTask } from "../save/last.ts";
import { settings } from "../save/settings.ts";
import type { Place } from "../save/request.ts";
import type { ReopenRequest } from "../reopen/request.ts";
import { offer, readHere } from "./here.ts";
import { closes, lastTaskId } from "./screen.ts";

/** Saves what is picked. The worker does it, so it is done even if the popup closes now. */
export const savePicked = async (place: Place): Promise<void> => {
  const tabIds = offer.value?.tabs.flatMap(({ id }) => id ?? []) ?? [];
  const reply = await askWorker("save", {
    saved: { kind: "tabs", tabIds },
    place,
    close: closes.value,
  });
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  const { label, refused, taskId } = reply.report;
  lastTaskId.value = taskId;
  // Which ones, and why, is on the screen already.
  const left = refused.length === 0 ? "" : `. ${count(refused.length, "tab")} cannot be saved.`;
  saySaved(`${label}${left}`);
  await readHere();
};

const saySaved = (text: string): void =>
  say({ text, kind: "done", action: { label: "Undo", run: () => void undo() } });

const undo = async (): Promise<void> => {
  const reply = await askWorker("undo", null);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  say({ text: "Undone", kind: "done" });
  await readHere();
};

/** In ms. For so long, the popup offers to undo what a key or a menu saved. */
const RECENT = 60_000;

/** Says what was saved just before the popup opened. */
export const sayLast = async (): Promise<void> => {
  const last = await lastSave.read();
  if (last && Date.now() - last.at < RECENT) saySaved(last.label);
  lastTaskId.value = await lastTask.read();
};

export const openTabs = async (request: ReopenRequest): Promise<void> => {
  const reply = await askWorker("reopen", request);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  const { opened, refused } = reply.report;
  say({ text: [`${count(opened, "tab")} opened`, ...refused].join(". "), kind: "done" });
};

export const setCloses = (close: boolean): void => {
  closes.value = close;
  void settings.write({ close });
};
