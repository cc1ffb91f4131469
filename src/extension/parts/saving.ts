import { say } from "../../ui/state/notice.ts";
import { askWorker } from "../background/messages.ts";
import { type Destination, type SaveReport, sayReport } from "../save/request.ts";
import { count } from "../../ui/words/names.ts";
import type { ReopenReport, ReopenRequest } from "../reopen/job.ts";

type HowToSave = {
  /** Whether these are all tabs of a window. */
  readonly isWindow?: boolean;
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
  place: Destination,
  { isWindow = false, close, onUndone }: HowToSave,
): Promise<SaveReport | null> => {
  const saved = { kind: "tabs", tabIds, isWindow } as const;
  const reply = await askWorker("save", { saved, place, close });
  if (reply.kind === "failed") {
    say({ text: reply.problem, kind: "problem" });
    return null;
  }
  const text = sayReport(reply.report);
  if (reply.report.canUndo) saySaved(text, onUndone);
  else say({ text, kind: "done" });
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

/** Opens tabs of a task again, and says how it went. The worker does it. */
export const openTaskTabs = async (request: ReopenRequest): Promise<void> => {
  const reply = await askWorker("reopen", request);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  sayOpened(reply.report, request.takeOut === true);
};

/** Says which tabs were opened. If they were taken out of their task, offers to put them back. */
export const sayOpened = ({ opened, refused }: ReopenReport, isTakenOut: boolean): void => {
  const text = [`${count(opened, "tab")} opened`, ...refused].join(". ");
  const back = { label: "Undo", run: () => void putBack() };
  say({ text, kind: "done", ...(isTakenOut && opened > 0 ? { action: back } : {}) });
};

const putBack = async (): Promise<void> => {
  const reply = await askWorker("put-back", null);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  say({ text: "The tabs are back in their task, and stay open", kind: "done" });
};
