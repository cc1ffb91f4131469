import { say } from "../../app/state/notice.ts";
import { count } from "../../app/words/count.ts";
import { askWorker } from "../background/messages.ts";
import type { ReopenRequest } from "../reopen/request.ts";

/** Opens tabs of a task again, and says how it went. The worker does it. */
export const openTaskTabs = async (request: ReopenRequest): Promise<void> => {
  const reply = await askWorker("reopen", request);
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  const { opened, refused } = reply.report;
  say({ text: [`${count(opened, "tab")} opened`, ...refused].join(". "), kind: "done" });
};
