import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { addTasks, placeFields } from "../acts/tasks.ts";
import { keyOf } from "../keys/meaning.ts";
import { DueChoice, PlaceChoice } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/marks.tsx";
import { fieldsOf, QuickChips, useQuick } from "../parts/quick.tsx";
import { folders } from "../state/client.ts";
import { say } from "../state/notice.ts";
import { hideOverlay, show } from "../state/overlay.ts";
import { openTask } from "../state/route.ts";
import { typedIn } from "../state/typed.ts";
import { count } from "../words/names.ts";
import { readPasted } from "../words/drafts.ts";

/**
 * Quick add: a title, or pasted links that become tabs; several lines are several tasks. Then it is ready for the next,
 * unless it was opened with a text. Ctrl+Enter opens the task instead. What is left in it when it closes is there the
 * next time.
 */
export const NewTask = ({ text: given }: { readonly text: string }) => {
  const text = typedIn("New task");
  const area = useRef<HTMLTextAreaElement>(null);
  const isAdding = useRef(false);
  const added = useSignal<Added | null>(null);
  useLayoutEffect(() => {
    text.value = [text.peek(), given].filter((part) => part !== "").join("\n");
  }, []);
  const start = placeFields();
  const folder = useSignal(start.folderId ?? null);
  /** The day of the view until somebody picks one, or none. */
  const picked = useSignal<{ readonly due: string | null } | null>(null);
  const { quick, refuse, field } = useQuick(text);
  const due = (picked.value ?? { due: quick.due?.day ?? start.due ?? null }).due;
  const { drafts, unit, leftOut } = readPasted(quick.title);
  const tabs = drafts.flatMap(({ links }) => links).length;
  const add = async (open: boolean): Promise<void> => {
    if (isAdding.current) return;
    isAdding.current = true;
    const typed = text.value;
    const fields = { ...fieldsOf(quick), folderId: folder.value, due };
    const id = await addTasks(quick.title, fields, { notice: given !== "" });
    isAdding.current = false;
    if (id === null) return;
    // Hands do not wait for the store: what was typed behind it is the next task.
    text.value = text.value.startsWith(typed) ? text.value.slice(typed.length) : text.value;
    added.value = drafts.length === 1 ? { id, name: drafts[0]?.title || quick.title.trim() } : null;
    if (open) openAlone(id);
    else if (given === "") area.current?.focus();
    else hideOverlay();
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
          ref={area}
          data-first
          rows={Math.min(8, text.value.split("\n").length)}
          aria-label="Title, or links"
          placeholder="What do you want to do? Pasted links become tabs."
          dir="auto"
          {...field}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (keyOf(event) !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            if (!event.repeat) void add(event.metaKey || event.ctrlKey);
          }}
        />
        {(drafts.length > 1 || tabs > 0) && (
          <p class="soft">
            <Icon name={drafts.length > 1 ? "list-checks" : "layers"} size={14} />{" "}
            {drafts.length > 1
              ? `Each ${unit} will become a task${tabs > 0 ? ", and its links tabs" : ""}`
              : `${count(tabs, "link")} will become ${tabs === 1 ? "a tab" : "tabs"}`}
            {leftOut > 0 &&
              `. ${count(leftOut, "address", "addresses")} will be left out: ${leftOut === 1 ? "it is" : "they are"} not on the web.`}
          </p>
        )}
        {added.value !== null && <AddedLine task={added.value} />}
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
            <DueChoice
              due={due}
              onPick={(day) => {
                if (day === null && picked.value === null && quick.due) refuse(quick.due.words);
                else picked.value = { due: day };
              }}
            />
            <QuickChips of={quick} tagsOnly refuse={refuse} />
          </span>
          <span class="spring" />
          <button type="button" class="button" onClick={() => discard(text)}>
            {text.value.trim() === "" ? "Close" : "Discard"}
          </button>
          <button class="button main" disabled={text.value.trim() === ""}>
            {drafts.length > 1 ? `Add ${count(drafts.length, "task")}` : "Add task"}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

type Added = { readonly id: string; readonly name: string };

/** What was added last, from this dialog. */
const AddedLine = ({ task: { id, name } }: { readonly task: Added }) => (
  <p class="soft" role="status">
    <Icon name="check" size={14} />
    <span class="name">Added “{name}”</span>
    <button type="button" class="link" onClick={() => openAlone(id)}>
      Open
    </button>
  </p>
);

const openAlone = (id: string): void => {
  hideOverlay();
  openTask(id);
};

/** Closes the dialog and throws away what was typed, until the person says that they want it back. */
const discard = (text: Signal<string>): void => {
  const lost = text.value;
  text.value = "";
  hideOverlay();
  if (lost.trim() === "") return;
  const run = (): void => show({ kind: "new-task", text: lost });
  say({ text: "Text discarded", kind: "done", action: { label: "Undo", run } });
};
