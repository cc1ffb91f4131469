import { useSignal } from "@preact/signals";
import { addTask, placeFields } from "../acts/tasks.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { folders } from "../state/client.ts";
import { hideOverlay } from "../state/overlay.ts";
import { openTask } from "../state/route.ts";
import { count } from "../words/count.ts";
import { splitLinks } from "../words/links.ts";

/** Quick add: a title, or pasted links that become tabs. Ctrl+Enter opens the new task too. */
export const NewTask = ({ text: first }: { readonly text: string }) => {
  const text = useSignal(first);
  const start = placeFields();
  const folder = useSignal(start.folderId ?? "");
  const due = useSignal(start.due ?? "");
  const { links } = splitLinks(text.value);
  const add = async (open: boolean): Promise<void> => {
    const fields = { folderId: folder.value || null, due: due.value || null };
    const id = await addTask(text.value, fields);
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
          rows={1}
          aria-label="Title, or links"
          placeholder="What do you want to do? Pasted links become tabs."
          dir="auto"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void add(event.metaKey || event.ctrlKey);
          }}
        />
        {links.length > 0 && (
          <p class="soft">
            <Icon name="layers" size={14} /> {count(links.length, "link")} will become{" "}
            {links.length === 1 ? "a tab" : "tabs"}
          </p>
        )}
        <div class="dialog-foot">
          <select
            aria-label="Folder"
            value={folder.value}
            onChange={(event) => (folder.value = event.currentTarget.value)}
          >
            <option value="">No folder</option>
            {folders.value.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <input
            type="date"
            aria-label="Due date"
            value={due.value}
            onInput={(event) => (due.value = event.currentTarget.value)}
          />
          <span class="spring" />
          <button type="button" class="button" onClick={hideOverlay}>
            Cancel
          </button>
          <button class="button main" disabled={text.value.trim() === ""}>
            Add task
          </button>
        </div>
      </form>
    </Dialog>
  );
};
