import type { FolderNode } from "../../client/folder-tree.ts";
import type { FolderView } from "../../client/views.ts";
import { recordName } from "../../domain/base/record.ts";
import { arrangeFolder, nudgeFolder } from "../acts/order.ts";
import { keyOf } from "../keys/meaning.ts";
import { draggable, dropAt, dropTarget, inLowerHalf } from "../list/drag.ts";
import { dropOnto, takes } from "../list/drop-place.ts";
import { FolderIcon, Icon } from "../parts/marks.tsx";
import { folders } from "../state/client.ts";
import { folded, toggleFolded } from "../state/folded.ts";
import { folderCounts } from "../state/lists.ts";
import { pathTo, route } from "../state/route.ts";

type NodeProps = { readonly node: FolderNode };

/** A folder at the side, with those below it. */
export const FolderBranch = ({ node }: NodeProps) => {
  const { folder, children, path } = node;
  const isFolded = folded.value.has(path);
  return (
    <li>
      {folder === null ? <Common node={node} /> : <FolderLink node={node} folder={folder} />}
      {children.length > 0 && !isFolded && (
        <ul class="branch">
          {children.map((one) => (
            <FolderBranch key={one.folder?.id ?? one.path} node={one} />
          ))}
        </ul>
      )}
    </li>
  );
};

/** A name that folders have in common, where none has it alone. */
const Common = ({ node: { name, path } }: NodeProps) => (
  <button
    type="button"
    class="place"
    aria-expanded={!folded.value.has(path)}
    onClick={() => toggleFolded(path)}
  >
    <Icon name={folded.value.has(path) ? "chevron-right" : "chevron-down"} />
    <span class="name">{name}</span>
  </button>
);

/** It is dragged into order, or moved with Alt and an arrow, and takes those below along. Tasks are dropped on it. */
const FolderLink = ({ node, folder }: NodeProps & { readonly folder: FolderView }) => {
  const { id, colour } = folder;
  const isHere = route.value.view === "folder" && route.value.folder === id;
  const number = folderCounts.value.get(id);
  return (
    <div
      class={`folder ${dropClass(id)}`}
      {...draggable(() => ({ kind: "folder", id }), recordName("sync_projects", folder.name))}
      {...dropOf(id)}
      onKeyDown={(event) => {
        const by = { ArrowUp: -1 as const, ArrowDown: 1 as const }[keyOf(event)];
        if (!event.altKey || by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        void nudgeFolder(id, by).then((moved) => moved && requestAnimationFrame(() => focus(id)));
      }}
    >
      <a
        class="place"
        href={pathTo({ view: "folder", folder: id })}
        aria-current={isHere ? "page" : undefined}
        data-folder={id}
        draggable={false}
        title="Alt and an arrow key move the folder"
      >
        <FolderIcon colour={colour} />
        <span class="name">{node.name}</span>
        {number !== undefined && <span class="number">{number}</span>}
      </a>
      {node.children.length > 0 && <Fold node={node} />}
    </div>
  );
};

const Fold = ({ node: { name, path } }: NodeProps) => (
  <button
    type="button"
    class="icon-button small fold"
    aria-label={`Folders in ${name}`}
    aria-expanded={!folded.value.has(path)}
    onClick={() => toggleFolded(path)}
  >
    <Icon name={folded.value.has(path) ? "chevron-right" : "chevron-down"} size={14} />
  </button>
);

const dropClass = (id: string): string => {
  const [where, at] = dropAt.value?.split(" folder ") ?? [];
  return at === id ? `drop-${where}` : "";
};

const dropOf = (id: string) =>
  dropTarget(
    (what, event) => {
      if (what.kind === "folder")
        return what.id === id ? null : `${inLowerHalf(event) ? "below" : "above"} folder ${id}`;
      return takes(what, "folder") ? `here folder ${id}` : null;
    },
    (what, event) => {
      if (what.kind !== "folder") return dropOnto(what, { view: "folder", folder: id });
      const at = folders.peek().findIndex((one) => one.id === id);
      void arrangeFolder(what.id, at + (inLowerHalf(event) ? 1 : 0));
    },
  );

/** A moved element loses the focus. */
const focus = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-folder="${CSS.escape(id)}"]`)?.focus();
