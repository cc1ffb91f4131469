import { keyOf } from "../keys/meaning.ts";
import { BulkBar } from "../list/bulk.tsx";
import { TaskList } from "../list/list.tsx";
import { Icon } from "../parts/marks.tsx";
import { allTags, found, searchText } from "../state/lists.ts";
import { moveCursor } from "../state/selection.ts";
import { count, tinted } from "../words/names.ts";

/** Search over everything that this browser holds, at each keystroke. */
export const SearchView = () => {
  const text = searchText.value.trim();
  const { tasks, searching } = found.value;
  return (
    <>
      <header class="view-head search-head">
        <h1 class="hidden">Search</h1>
        <Icon name="search" size={18} />
        <input
          type="search"
          id="search"
          aria-label="Search tasks, tabs and notes"
          placeholder="Search tasks, tabs and notes"
          autocomplete="off"
          ref={focusOnce}
          value={searchText.value}
          onInput={(event) => (searchText.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (keyOf(event) !== "ArrowDown" && keyOf(event) !== "Enter") return;
            event.preventDefault();
            moveCursor(1);
          }}
        />
        {searchText.value !== "" && (
          <button
            type="button"
            class="icon-button small"
            aria-label="Clear the search"
            onClick={() => {
              searchText.value = "";
              document.getElementById("search")?.focus();
            }}
          >
            <Icon name="x" size={14} />
          </button>
        )}
        <span class="soft" role="status">
          {text !== "" && count(tasks.length, "task")}
        </span>
      </header>
      <div class="scroll">
        {tasks.length > 0 && <TaskList tasks={tasks} label="Found tasks" />}
        {tasks.length === 0 && !searching && <Nothing text={text} />}
      </div>
      <BulkBar />
    </>
  );
};

const Nothing = ({ text }: { readonly text: string }) => (
  <div class="empty">
    <span class="empty-icon">
      <Icon name="search" size={28} />
    </span>
    <h2>{text === "" ? "Find anything" : "Nothing found"}</h2>
    <p>
      {text === ""
        ? "Search looks in titles, tabs and their addresses, notes and tags. It works offline too."
        : "No task holds all of these words. Try fewer, or another word."}
    </p>
    {text === "" && allTags.value.length > 0 && (
      <p class="empty-actions">
        {allTags.value.slice(0, 12).map((tag) => (
          <a
            key={tag}
            class="tag"
            {...tinted(tag)}
            href={`/tasks/open?tag=${encodeURIComponent(tag)}`}
          >
            {tag}
          </a>
        ))}
      </p>
    )}
  </div>
);

const focusOnce = (input: HTMLInputElement | null): void => {
  if (input && document.activeElement?.closest("main, nav, body") && !input.dataset["seen"]) {
    input.dataset["seen"] = "yes";
    // What is typed now replaces the last search.
    input.select();
  }
};
