import { useSignal } from "@preact/signals";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { addFolder } from "../acts/folders.ts";
import { keyOf } from "../keys/meaning.ts";
import { TooLong } from "../parts/field-note.tsx";
import { focusOn } from "../parts/one-line.tsx";
import { Icon } from "../parts/icon.tsx";
import { folders } from "../state/client.ts";
import { drawer, namingFolder } from "../state/overlay.ts";
import { go, pathTo } from "../state/route.ts";
import { FolderLink } from "./folder-link.tsx";

/** The folders, as the person arranged them, each with the number of its open tasks. */
export const Folders = () => {
  return (
    <section class="folders" aria-label="Folders">
      <h2>
        Folders
        <button
          type="button"
          class="icon-button"
          aria-label="Add a folder"
          title="Add a folder"
          onClick={() => (namingFolder.value = true)}
        >
          <Icon name="plus" />
        </button>
      </h2>
      {namingFolder.value && <NewFolder onEnd={() => (namingFolder.value = false)} />}
      <ul>
        {folders.value.map((folder) => (
          <FolderLink key={folder.id} folder={folder} />
        ))}
      </ul>
      {folders.value.length === 0 && !namingFolder.value && (
        <p class="side-hint">Folders group tasks, such as “Work” or “Move house”.</p>
      )}
    </section>
  );
};

const NewFolder = ({ onEnd }: { readonly onEnd: () => void }) => {
  const tooLong = useSignal(0);
  return (
    <form
      class="side-form"
      onSubmit={async (event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
        if (name === "") return onEnd();
        if (tooLong.value > 0) return;
        const id = await addFolder(name);
        if (id === null) return;
        onEnd();
        drawer.value = false;
        go(pathTo({ view: "folder", folder: id }));
      }}
    >
      <input
        name="name"
        aria-label="Name of the new folder"
        placeholder="Name, then Enter"
        onInput={(event) => (tooLong.value = event.currentTarget.value.trim().length - MAX_NAME)}
        autocomplete="off"
        ref={focusOn}
        onKeyDown={(event) => keyOf(event) === "Escape" && onEnd()}
        onBlur={(event) => event.currentTarget.value.trim() === "" && onEnd()}
      />
      <TooLong by={tooLong.value}>Shorten it, then press Enter.</TooLong>
    </form>
  );
};
