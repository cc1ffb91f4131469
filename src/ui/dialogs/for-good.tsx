import { deleteForGood } from "../acts/tasks.ts";
import { Dialog } from "../parts/dialog.tsx";
import { hideOverlay } from "../state/overlay.ts";
import { count } from "../words/names.ts";

/** Asks before tasks in the trash are deleted for good. */
export const ForGood = ({ ids }: { readonly ids: readonly string[] }) => {
  const tasks = count(ids.length, "task");
  return (
    <Dialog label="Delete for good" class="sheet narrow">
      <h2>Delete {tasks} for good?</h2>
      <p>
        {ids.length === 1 ? "It leaves" : "They leave"} the trash on all your devices. The server’s
        history keeps the content for 90 days more, and you can restore it there until then.
      </p>
      <div class="dialog-foot">
        <span class="spring" />
        <button type="button" class="button" data-first onClick={hideOverlay}>
          Cancel
        </button>
        <button
          type="button"
          class="button danger"
          onClick={() => {
            hideOverlay();
            void deleteForGood(ids);
          }}
        >
          Delete {tasks}
        </button>
      </div>
    </Dialog>
  );
};
