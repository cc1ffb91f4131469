import { handOver } from "../acts/act.ts";
import { addTasks } from "../acts/tasks.ts";
import { keyOf } from "../keys/meaning.ts";
import { Icon } from "../parts/marks.tsx";
import { fieldsOf, QuickChips, useQuick } from "../parts/quick.tsx";
import { show } from "../state/overlay.ts";
import { typedIn } from "../state/typed.ts";
import { count } from "../words/names.ts";
import { draftsOf, linksIn } from "../words/drafts.ts";

/**
 * The line above a list in which a new task is typed. Enter adds it, and the line is ready for the next. What was typed
 * is there in the next list too, and after a reload.
 */
export const InlineAdd = () => {
  const text = typedIn("Add a task");
  const links = linksIn(text.value).length;
  const { quick, refuse, field } = useQuick(text);
  return (
    <form
      class="inline-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value.trim() === "") return;
        void handOver(text, async () => (await addTasks(quick.title, fieldsOf(quick))) !== null);
      }}
    >
      <Icon name="plus" size={18} />
      <input
        aria-label="Add a task"
        placeholder="Add a task, or paste links"
        autocomplete="off"
        enterkeyhint="done"
        {...field}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text/plain").trim() ?? "";
          if (fitsOnOneLine(pasted)) return;
          event.preventDefault();
          show({ kind: "new-task", text: [text.value.trim(), pasted].join("\n").trim() });
          text.value = "";
        }}
        onKeyDown={(event) => keyOf(event) === "Escape" && event.currentTarget.blur()}
      />
      <QuickChips of={quick} refuse={refuse} />
      {links > 0 && <span class="badge">{count(links, "tab")}</span>}
    </form>
  );
};

/** Whether a text means the same once a field of one line has joined its lines. */
const fitsOnOneLine = (text: string): boolean =>
  JSON.stringify(draftsOf(text)) === JSON.stringify(draftsOf(text.replaceAll(/[\r\n]+/g, " ")));
