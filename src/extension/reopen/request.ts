import type { ChildName } from "../../client/children.ts";

/** Which tabs of a task to open, and where. */
export type ReopenRequest = {
  readonly taskId: string;
  /** Null for all. */
  readonly names: readonly ChildName[] | null;
  /** `group`: in this window, as one group with the task's name and colour. */
  readonly where: "group" | "here" | "window";
  /** Whether the tabs leave the task once they are open. */
  readonly takeOut?: boolean;
};

export type ReopenReport = {
  readonly opened: number;
  /** A sentence for each tab that could not be opened. */
  readonly refused: readonly string[];
};
