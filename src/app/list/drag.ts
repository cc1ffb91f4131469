import { signal } from "@preact/signals";
import type { ChildName } from "../../client/children.ts";

/** What is being dragged: tasks, or tabs of a task. */
export type Dragged =
  | { readonly kind: "tasks"; readonly ids: readonly string[] }
  | { readonly kind: "tabs"; readonly from: string; readonly names: readonly ChildName[] };

const dragged = signal<Dragged | null>(null);

/** The row in front of which it would be dropped, or the place onto which. */
export const dropAt = signal<string | null>(null);

/** What makes an element draggable. */
export const draggable = (what: () => Dragged, words: string) => ({
  draggable: true,
  onDragStart: (event: DragEvent): void => {
    event.stopPropagation();
    event.dataTransfer?.setData("text/plain", words);
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
    dragged.value = what();
  },
  onDragEnd: (): void => {
    dragged.value = null;
    dropAt.value = null;
  },
});

/** What makes an element take what is dragged. `accepts` says where; null means not here. */
export const dropTarget = (
  accepts: (what: Dragged, event: DragEvent) => string | null,
  drop: (what: Dragged, event: DragEvent) => void,
) => ({
  onDragOver: (event: DragEvent): void => {
    const at = dragged.value && accepts(dragged.value, event);
    if (at === null) return;
    event.preventDefault();
    event.stopPropagation();
    dropAt.value = at;
  },
  onDragLeave: (): void => {
    dropAt.value = null;
  },
  onDrop: (event: DragEvent): void => {
    const what = dragged.value;
    dropAt.value = null;
    dragged.value = null;
    if (!what) return;
    event.preventDefault();
    event.stopPropagation();
    drop(what, event);
  },
});

/** Whether the pointer is in the lower half of what it is over. */
export const inLowerHalf = (event: DragEvent): boolean => {
  const { top, height } = (event.currentTarget as Element).getBoundingClientRect();
  return event.clientY > top + height / 2;
};
