import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { addFolder } from "../acts/folders.ts";
import { Icon } from "../parts/marks.tsx";
import { OneLine } from "../parts/one-line.tsx";
import { folders, tree } from "../state/client.ts";
import { drawer, namingFolder } from "../state/overlay.ts";
import { go, pathTo, stays } from "../state/route.ts";
import { FolderBranch } from "./folder-link.tsx";

/** The folders, as the person arranged them, each with the number of its open tasks. */
export const Folders = () => {
  return (
    <section class="folders" aria-label="Folders">
      <header>
        <h2>Folders</h2>
        <button
          type="button"
          class="icon-button"
          aria-label="Add a folder"
          title="Add a folder"
          onClick={() => (namingFolder.value = true)}
        >
          <Icon name="plus" />
        </button>
      </header>
      {namingFolder.value && <NewFolder onEnd={() => (namingFolder.value = false)} />}
      <ul>
        {tree.value.map((node) => (
          <FolderBranch key={node.folder?.id ?? node.path} node={node} />
        ))}
      </ul>
      {folders.value.length === 0 && !namingFolder.value && (
        <p class="side-hint">Folders group tasks, such as “Work” or “Move house”.</p>
      )}
    </section>
  );
};

const NewFolder = ({ onEnd }: { readonly onEnd: () => void }) => (
  <div class="side-form">
    <OneLine
      label="Name of the new folder"
      placeholder="Name, then Enter"
      max={MAX_NAME}
      onEnd={onEnd}
      onText={async (name) => {
        const isHere = stays();
        const id = await addFolder(name);
        if (id === null) return false;
        drawer.value = false;
        if (isHere()) go(pathTo({ view: "folder", folder: id }));
        return true;
      }}
    />
  </div>
);
