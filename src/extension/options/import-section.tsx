import { useSignal } from "@preact/signals";
import { count } from "../../ui/words/names.ts";
import type { Entry } from "../../import/model.ts";
import { askWorker, sentenceOf } from "../background/messages.ts";
import { bring, type Brought } from "../bring/bring.ts";
import { BOOKMARKS, entriesIn, type Shelf, shelvesIn } from "../bring/bookmarks.ts";
import { entriesOfWindows, OPEN_TABS } from "../bring/windows.ts";
import { type BookmarkNode, browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";

/** Brings what this browser itself holds: the tabs of all windows, and its bookmarks. */
export const ImportSection = () => {
  const nodes = useSignal<readonly BookmarkNode[] | null>(null);
  const said = useSignal("");
  const problem = useSignal("");
  const isBusy = useSignal(false);
  const doing = async (work: () => Promise<string>): Promise<void> => {
    [said.value, problem.value, isBusy.value] = ["", "", true];
    try {
      said.value = await work();
    } catch (error) {
      problem.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  const importing = (tool: string, entries: readonly Entry[]): Promise<void> =>
    doing(async () => {
      const brought = await bring(await currentClient(), tool, entries);
      void askWorker("sync", null);
      return wordsOf(brought);
    });
  // Asked for at once: the browser allows it only in the turn of the click.
  const choose = (): Promise<void> => {
    const asked = browser.permissions.request({ permissions: ["bookmarks"] });
    return doing(async () => {
      if (!(await asked)) return "Your browser did not allow Docket to read your bookmarks.";
      nodes.value = (await browser.bookmarks?.getTree()) ?? [];
      return "";
    });
  };
  return (
    <section>
      <h2>Import</h2>
      <p class="soft">
        Bring what this browser holds into tasks. Nothing is closed, moved or overwritten, and what
        is here already does not come twice.
      </p>
      <div class="buttons">
        <button
          type="button"
          class="button"
          disabled={isBusy.value}
          onClick={() => void entriesOfWindows().then((found) => importing(OPEN_TABS, found))}
        >
          Import the tabs of all windows
        </button>
        <button type="button" class="button" disabled={isBusy.value} onClick={() => void choose()}>
          Import bookmarks
        </button>
      </div>
      {nodes.value && (
        <Shelves
          nodes={nodes.value}
          isBusy={isBusy.value}
          onChosen={(entries) => void importing(BOOKMARKS, entries)}
        />
      )}
      <p class="outcome" role="status">
        {said.value}
      </p>
      {problem.value !== "" && (
        <p class="outcome bad" role="alert">
          {problem.value}
        </p>
      )}
    </section>
  );
};

type ShelvesProps = {
  readonly nodes: readonly BookmarkNode[];
  readonly isBusy: boolean;
  readonly onChosen: (entries: readonly Entry[]) => void;
};

/** The folders of the bookmarks, to choose from. With a folder, those beneath it are chosen. */
const Shelves = ({ nodes, isBusy, onChosen }: ShelvesProps) => {
  const shelves = shelvesIn(nodes);
  const left = useSignal<ReadonlySet<string>>(new Set());
  const chosen = shelves.filter(({ id }) => !left.value.has(id));
  const set = (shelf: Shelf, isOn: boolean): void => {
    const next = new Set(left.value);
    for (const { id } of withBelow(shelves, shelf)) {
      if (isOn) next.delete(id);
      else next.add(id);
    }
    left.value = next;
  };
  if (shelves.length === 0) return <p>There are no bookmarks in this browser.</p>;
  return (
    <fieldset class="shelves">
      <legend>Folders to import</legend>
      <ul>
        {shelves.map((shelf) => (
          <li key={shelf.id} class={`depth-${Math.min(shelf.depth, 5)}`}>
            <label class="check">
              <input
                type="checkbox"
                checked={!left.value.has(shelf.id)}
                onChange={(event) => set(shelf, event.currentTarget.checked)}
              />
              <span dir="auto">{shelf.name}</span> <span class="soft">{shelf.links}</span>
            </label>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button
          type="button"
          class="button main"
          disabled={isBusy || chosen.length === 0}
          onClick={() => onChosen(entriesIn(nodes, new Set(chosen.map(({ id }) => id))))}
        >
          Import {count(chosen.length, "folder")}
        </button>
      </div>
    </fieldset>
  );
};

const withBelow = (shelves: readonly Shelf[], shelf: Shelf): readonly Shelf[] => {
  const at = shelves.indexOf(shelf);
  const end = shelves.findIndex(({ depth }, index) => index > at && depth <= shelf.depth);
  return shelves.slice(at, end < 0 ? shelves.length : end);
};

const wordsOf = ({ tasks, tabs, known, leftOut }: Brought): string =>
  [
    tabs === 0
      ? "There is nothing new."
      : `${count(tabs, "tab")} imported, in ${count(tasks, "new task")}. Press u in Docket to undo.`,
    known > 0 ? `${count(known, "task is", "tasks are")} here already.` : "",
    leftOut > 0 ? `${count(leftOut, "link was", "links were")} left out.` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
