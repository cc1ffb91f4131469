import { say } from "../../app/state/notice.ts";
import { count } from "../../app/words/count.ts";
import { askWorker } from "../background/messages.ts";
import type { Place, SaveReport } from "../save/request.ts";

type HowToSave = {
  /** Whether to close the tabs once they are saved. */
  readonly close: boolean;
  /** What to do after an undo. */
  readonly onUndone?: () => Promise<void>;
};

/**
 * Saves open tabs, and says how it went, with a way back. The worker does it, so it is done even if the page closes now.
 * Returns null if it failed.
 */
export const saveOpenTabs = async (
  tabIds: readonly number[],
  place: Place,
  { close, onUndone }: HowToSave,
): Promise<SaveReport | null> => {
  const reply = await askWorker("save", { saved: { kind: "tabs", tabIds }, place, close });
  if (reply.kind === "failed") {
    say({ text: reply.problem, kind: "problem" });
    return null;
  }
  const { label, refused, canUndo } = reply.report;
  const left = refused.length === 0 ? "" : `. ${count(refused.length, "tab")} cannot be saved.`;
  if (canUndo) saySaved(`${label}${left}`, onUndone);
  else say({ text: `${label}${left}`, kind: "done" });
  return reply.report;
};

/** Says what was saved, with a way back. */
export const saySaved = (text: string, onUndone?: () => Promise<void>): void =>
  say({ text, kind: "done", action: { label: "Undo", run: () => void undo(onUndone) } });

const undo = async (onUndone?: () => Promise<void>): Promise<void> => {
  const reply = await askWorker("undo", null);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  say({ text: "Undone", kind: "done" });
  await onUndone?.();
};
