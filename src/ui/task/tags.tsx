import { useSignal } from "@preact/signals";
import { addTags, removeTag } from "../../client/edits.ts";
import type { TaskView } from "../../client/views.ts";
import { isSeen } from "../../domain/base/text.ts";
import { isSameTag } from "../../domain/tasks/tags.ts";
import { MAX_TAG, MAX_TAGS } from "../../domain/tasks/task.ts";
import { act } from "../acts/act.ts";
import { actTyped } from "../acts/tasks.ts";
import { keyOf } from "../keys/meaning.ts";
import { TooLong } from "../parts/field-note.tsx";
import { focusOn, isWindowLeft } from "../parts/one-line.tsx";
import { Icon } from "../parts/marks.tsx";
import { allTags } from "../state/lists.ts";
import { tinted } from "../words/names.ts";
import { saveFrom, typedIn } from "../state/typed.ts";

/** A task's tags. Enter or a comma adds one, Backspace in the empty field takes the last one off. */
export const Tags = ({ task: { id, tags } }: { readonly task: TaskView }) => {
  const typed = typedIn(`tag ${id}`);
  const adding = useSignal(typed.peek() !== "");
  const take = (tag: string) => void act("Tags changed", [removeTag(id, tag)]);
  /** The field is empty for the next tag at once; what could not be added comes back. Returns whether nothing is left. */
  const add = async (): Promise<boolean> => {
    const fits: string[] = [];
    const left = tagsIn(typed.value).filter((tag) => {
      const isThere = [...tags, ...fits].some((one) => isSameTag(one, tag));
      const isTaken = tag.length <= MAX_TAG && (isThere || tags.length + fits.length < MAX_TAGS);
      if (isTaken && !isThere) fits.push(tag);
      return !isTaken;
    });
    typed.value = left.join(", ");
    const save = () => actTyped(id, "Tags changed", addTags(id, fits));
    if (fits.length > 0) await saveFrom(typed, fits.join(", "), save, ", ");
    return typed.value === "";
  };
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag" {...tinted(tag)}>
          <a href={`/tasks/open?tag=${encodeURIComponent(tag)}`}>{tag}</a>
          <button type="button" aria-label={`Remove the tag ${tag}`} onClick={() => take(tag)}>
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
            value={typed.value}
            ref={focusOn}
            onInput={(event) => (typed.value = event.currentTarget.value)}
            onBlur={async ({ currentTarget }) => {
              const isLeft = !isWindowLeft(currentTarget);
              if ((await add()) && isLeft) adding.value = false;
            }}
            onKeyDown={(event) => {
              if (keyOf(event) === "Enter" || keyOf(event) === ",") {
                event.preventDefault();
                void add();
              } else if (keyOf(event) === "Escape") {
                event.stopPropagation();
                typed.value = "";
                adding.value = false;
              } else if (keyOf(event) === "Backspace" && typed.value === "" && tags.length > 0)
                take(tags.at(-1) ?? "");
            }}
          />
          <TooLong by={Math.max(0, ...tagsIn(typed.value).map((tag) => tag.length)) - MAX_TAG}>
            Shorten the tag, then press Enter.
          </TooLong>
          {tags.length >= MAX_TAGS && tagsIn(typed.value).length > 0 && (
            <span class="field-note" role="status">
              A task can have up to {MAX_TAGS} tags. Remove one first.
            </span>
          )}
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

const tagsIn = (typed: string): readonly string[] =>
  typed
    .split(",")
    .filter(isSeen)
    .map((tag) => tag.trim());
