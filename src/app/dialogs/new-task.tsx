import { useSignal } from "@preact/signals";
import { addTasks, placeFields } from "../acts/tasks.ts";
import { keyOf } from "../keys/meaning.ts";
import { DueChoice, PlaceChoice } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { folders } from "../state/client.ts";
import { hideOverlay } from "../state/overlay.ts";
import { openTask } from "../state/route.ts";
import { count } from "../words/count.ts";
import { draftsOf } from "../words/drafts.ts";

/** Quick add: a title, or pasted links that become tabs; several lines are several tasks. Ctrl+Enter opens it too. */
export const NewTask = ({ text: first }: { readonly text: string }) => {
  const text = useSignal(first);
  const start = placeFields();
  const folder = useSignal(start.folderId ?? null);
  const due = useSignal(start.due ?? null);
  const drafts = draftsOf(text.value);
  const tabs = drafts.flatMap(({ links }) => links).length;
  const add = async (open: boolean): Promise<void> => {
    const fields = { folderId: folder.value, due: due.value };
    const id = await addTasks(text.value, fields);
    if (id === null) return;
    hideOverlay();
    if (open) openTask(id);
  };
  return (
    <Dialog label="New task" class="new-task-dialog">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add(false);
        }}
      >
        <textarea
          data-first
          rows={Math.min(8, text.value.split("\n").length)}
          aria-label="Title, or links"
          placeholder="What do you want to do? Pasted links become tabs."
          dir="auto"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (keyOf(event) !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            void add(event.metaKey || event.ctrlKey);
          }}
        />
        {(drafts.length > 1 || tabs > 0) && (
          <p class="soft">
            <Icon name={drafts.length > 1 ? "list-checks" : "layers"} size={14} />{" "}
            {drafts.length > 1
              ? `Each line will become a task${tabs > 0 ? ", and its links tabs" : ""}`
              : `${count(tabs, "link")} will become ${tabs === 1 ? "a tab" : "tabs"}`}
          </p>
        )}
        <div class="dialog-foot">
          <span class="chips">
            <PlaceChoice
              label="Folder"
              icon="folder"
              places={folders.value}
              at={folder.value}
              none="No folder"
              onPick={(id) => (folder.value = id)}
            />
            <DueChoice due={due.value} onPick={(day) => (due.value = day)} />
          </span>
          <span class="spring" />
          <button type="button" class="button" onClick={hideOverlay}>
            Cancel
          </button>
          <button class="button main" disabled={text.value.trim() === ""}>
            {drafts.length > 1 ? `Add ${count(drafts.length, "task")}` : "Add task"}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
