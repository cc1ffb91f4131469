import type { Edit } from "../../client/edit.ts";
import { client } from "../state/client.ts";
import { say } from "../state/notice.ts";

/** Makes one step. `notice` shows it with Undo; without it, the step can still be undone with Ctrl+Z. */
export const act = async (
  label: string,
  edits: readonly Edit[],
  { notice = false }: { readonly notice?: boolean } = {},
): Promise<boolean> => {
  try {
    const step = await client().edit(label, edits);
    if (notice)
      say({
        text: label,
        kind: "done",
        action: { label: "Undo", run: () => void undo(step.undo) },
      });
    return true;
  } catch (error) {
    say({ text: reason(error), kind: "problem" });
    return false;
  }
};

const undo = (back: () => Promise<void>): Promise<void> =>
  back().then(
    () => say({ text: "Undone", kind: "done" }),
    (error: unknown) => say({ text: reason(error), kind: "problem" }),
  );

/** Takes back the last step that was not taken back yet. */
export const undoLast = (): Promise<void> =>
  client()
    .undo()
    .then(
      (label) =>
        say({ text: label === null ? "Nothing to undo" : `Undone: ${label}`, kind: "done" }),
      (error: unknown) => say({ text: reason(error), kind: "problem" }),
    );

const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return "That did not work. Try again.";
  if (error.name === "StorageFull")
    return "Your browser has no room left, so this was not saved. Free some space and try again.";
  return error.name === "NotPossible" ? error.message : "That did not work. Try again.";
};
