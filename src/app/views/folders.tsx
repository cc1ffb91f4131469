import { useSignal } from "@preact/signals";
import { addFolder } from "../acts/folders.ts";
import { dropOnPlace } from "../list/drop-place.ts";
import { Dot } from "../parts/dot.tsx";
import { Icon } from "../parts/icon.tsx";
import { folders } from "../state/client.ts";
import { folderCounts } from "../state/lists.ts";
import { go, pathTo, route } from "../state/route.ts";

/** The folders, each with the number of its open tasks. Tasks can be dropped on them. */
export const Folders = () => {
  const adding = useSignal(false);
  return (
    <section class="folders" aria-label="Folders">
      <h2>
        Folders
        <button
          type="button"
          class="icon-button"
          aria-label="Add a folder"
          title="Add a folder"
          onClick={() => (adding.value = true)}
        >
          <Icon name="plus" />
        </button>
      </h2>
      {adding.value && <NewFolder onEnd={() => (adding.value = false)} />}
      <ul>
        {folders.value.map(({ id, name, colour }) => (
          <li key={id} {...dropOnPlace({ view: "folder", folder: id })}>
            <a
              class="place"
              href={pathTo({ view: "folder", folder: id })}
              aria-current={
                route.value.view === "folder" && route.value.folder === id ? "page" : undefined
              }
            >
              <Dot colour={colour} />
              <span class="name">{name || "Unnamed folder"}</span>
              {folderCounts.value.has(id) && (
                <span class="number">{folderCounts.value.get(id)}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      {folders.value.length === 0 && !adding.value && (
        <p class="side-hint">Folders group tasks, such as “Work” or “Move house”.</p>
      )}
    </section>
  );
};

const NewFolder = ({ onEnd }: { readonly onEnd: () => void }) => (
  <form
    class="side-form"
    onSubmit={async (event) => {
      event.preventDefault();
      const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
      if (name === "") return onEnd();
      const id = await addFolder(name);
      onEnd();
      if (id !== null) go(pathTo({ view: "folder", folder: id }));
    }}
  >
    <input
      name="name"
      aria-label="Name of the new folder"
      placeholder="Name, then Enter"
      maxLength={200}
      autocomplete="off"
      ref={(input) => input?.focus()}
      onKeyDown={(event) => event.key === "Escape" && onEnd()}
      onBlur={(event) => event.currentTarget.value.trim() === "" && onEnd()}
    />
  </form>
);
