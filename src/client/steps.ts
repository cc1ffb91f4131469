import type { Board } from "./board.ts";
import type { Edit } from "./edit.ts";
import { NotPossible, type Step } from "./state.ts";
import type { SavedStep } from "./store/save-step.ts";
import { undoOf } from "./undo.ts";

/** How many steps can be taken back. */
const MOST = 50;

/** Adds a step that was saved to those that can be taken back. `save` makes the edits that take it back. */
export const addStep = (
  { state, patch }: Board,
  label: string,
  { touched }: SavedStep,
  save: (edits: readonly Edit[]) => Promise<unknown>,
): Step => {
  let undone: Promise<void> | null = null;
  const drop = (): void => patch({ steps: state().steps.filter((one) => one !== step) });
  const takeBack = async (): Promise<void> => {
    await save([undoOf(touched)]);
    drop();
  };
  const step: Step = {
    label,
    undo: () =>
      (undone ??= takeBack().catch((error: unknown) => {
        undone = null;
        // The next one to take back is the one before it.
        if (error instanceof NotPossible) drop();
        throw error;
      })),
  };
  if (touched.length > 0) patch({ steps: [step, ...state().steps].slice(0, MOST) });
  return step;
};
