import { useSignal } from "@preact/signals";
import type { TaskView } from "../../client/views.ts";
import { change } from "../acts/tasks.ts";
import { keyOf } from "../keys/meaning.ts";
import { Icon } from "../parts/icon.tsx";
import { allTags } from "../state/lists.ts";

const MOST = 20;
const LONGEST = 50;

/** A task's tags. Enter or a comma adds one, Backspace in the empty field takes the last one off. */
export const Tags = ({ task: { id, tags } }: { readonly task: TaskView }) => {
  const adding = useSignal(false);
  const set = (next: readonly string[]) => change([id], { tags: next }, "Tags changed");
  /** Returns whether nothing is left to add. */
  const add = async (input: HTMLInputElement): Promise<boolean> => {
    const typed = input.value.split(",").map((tag) => tag.trim().slice(0, LONGEST));
    const next = [...new Set([...tags, ...typed.filter((tag) => tag !== "")])].slice(0, MOST);
    if (next.length > tags.length && !(await set(next))) return false;
    input.value = "";
    return true;
  };
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag">
          <a href={`/tasks/open?tag=${encodeURIComponent(tag)}`}>{tag}</a>
          <button
            type="button"
            aria-label={`Remove the tag ${tag}`}
            onClick={() => void set(tags.filter((one) => one !== tag))}
          >
            <Icon name="x" size={12} />
          </button>
        </span>
      ))}
      {adding.value ? (
        <>
          <input
            class="tag-input"
            aria-label="Add a tag"
            placeholder="Tag"
            list="all-tags"
            maxLength={LONGEST}
            ref={(input) => input?.focus()}
            onBlur={async (event) => {
              if (await add(event.currentTarget)) adding.value = false;
            }}
            onKeyDown={(event) => {
              const input = event.currentTarget;
              if (keyOf(event) === "Enter" || keyOf(event) === ",") {
                event.preventDefault();
                void add(input);
              } else if (keyOf(event) === "Escape") {
                event.stopPropagation();
                input.value = "";
                adding.value = false;
              } else if (keyOf(event) === "Backspace" && input.value === "")
                void set(tags.slice(0, -1));
            }}
          />
          <datalist id="all-tags">
            {allTags.value.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
        </>
      ) : (
        <button
          type="button"
          class="chip unset"
          aria-label="Add a tag"
          onClick={() => (adding.value = true)}
        >
          <Icon name="tag" size={14} /> Tag
        </button>
      )}
    </span>
  );
};
