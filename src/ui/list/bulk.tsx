import { copyTasks } from "../acts/copy.ts";
import { deleteTasks, restoreTasks, toggleDone } from "../acts/tasks.ts";
import { Icon } from "../parts/marks.tsx";
import { show } from "../state/overlay.ts";
import { route } from "../state/route.ts";
import { clearSelection, selected, targets } from "../state/selection.ts";

/** What can be done with the selected tasks, all at once. */
export const BulkBar = () => {
  if (selected.value.size === 0) return null;
  return (
    <div class="bulk" role="toolbar" aria-label="Selected tasks">
      <b>{selected.value.size} selected</b>
      {route.value.view === "trash" ? (
        <>
          <button type="button" class="button" onClick={() => void restoreTasks(targets())}>
            <Icon name="undo-2" /> Restore
          </button>
          <button
            type="button"
            class="button danger"
            onClick={() => show({ kind: "for-good", ids: targets() })}
          >
            <Icon name="trash" /> Delete for good
          </button>
        </>
      ) : (
        <>
          <button type="button" class="button" onClick={() => void toggleDone(targets())}>
            <Icon name="circle-check" /> Done
          </button>
          <button
            type="button"
            class="button"
            onClick={() => show({ kind: "move-tasks", ids: targets() })}
          >
            <Icon name="folder" /> Move
          </button>
          <button
            type="button"
            class="button"
            onClick={() => show({ kind: "due", ids: targets() })}
          >
            <Icon name="calendar" /> Due
          </button>
          <button type="button" class="button wide-only" onClick={() => void copyTasks(targets())}>
            <Icon name="copy" /> Copy
          </button>
          <button type="button" class="button danger" onClick={() => void deleteTasks(targets())}>
            <Icon name="trash" /> Delete
          </button>
        </>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label="Clear the selection"
        onClick={clearSelection}
      >
        <Icon name="x" />
      </button>
    </div>
  );
};
