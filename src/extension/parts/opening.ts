import { say } from "../../app/state/notice.ts";
import { count } from "../../app/words/count.ts";
import { askWorker } from "../background/messages.ts";
import type { ReopenReport, ReopenRequest } from "../reopen/request.ts";

/** Opens tabs of a task again, and says how it went. The worker does it. */
export const openTaskTabs = async (request: ReopenRequest): Promise<void> => {
  const reply = await askWorker("reopen", request);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  sayOpened(reply.report, request.takeOut === true);
};

/** Says which tabs were opened. If they were taken out of their task, offers to put them back. */
export const sayOpened = ({ opened, refused }: ReopenReport, isTakenOut: boolean): void => {
  const text = [`${count(opened, "tab")} opened`, ...refused].join(". ");
  const undo = { label: "Undo", run: () => void putBack() };
  say({ text, kind: "done", ...(isTakenOut && opened > 0 ? { action: undo } : {}) });
};

const putBack = async (): Promise<void> => {
  const reply = await askWorker("put-back", null);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  say({ text: "The tabs are back in their task, and stay open", kind: "done" });
};
