import { recordName } from "../../domain/base/record.ts";
import type { FolderView } from "../../client/views.ts";
import { arrangeFolder, nudgeFolder } from "../acts/order.ts";
import { keyOf } from "../keys/meaning.ts";
import { draggable, dropAt, dropTarget, inLowerHalf } from "../list/drag.ts";
import { dropOnto, takes } from "../list/drop-place.ts";
import { Dot } from "../parts/marks.tsx";
import { folders } from "../state/client.ts";
import { folderCounts } from "../state/lists.ts";
import { pathTo, route } from "../state/route.ts";

/** A folder at the side. It is dragged into order, or moved with Alt and an arrow; tasks are dropped on it. */
export const FolderLink = ({ folder }: { readonly folder: FolderView }) => {
  const { id, colour } = folder;
  const name = recordName("sync_projects", folder.name);
  const isHere = route.value.view === "folder" && route.value.folder === id;
  const number = folderCounts.value.get(id);
  return (
    <li
      class={dropClass(id)}
      {...draggable(() => ({ kind: "folder", id }), name)}
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
        <Dot colour={colour} />
        <span class="name">{name}</span>
        {number !== undefined && <span class="number">{number}</span>}
      </a>
    </li>
  );
};

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
