import { ask } from "../db/store.ts";

type Held = {
  readonly folders: readonly { readonly name: string }[];
  readonly tasks: readonly HeldTask[];
};

type HeldTask = {
  readonly folder: string;
  readonly title: string;
  readonly tabs: readonly { readonly title: string }[];
};

type Row = { readonly tbl: string; readonly id: string; readonly payload: string };

/** What an account holds, in the form of the files with what is expected: folders in the order in which they were made. */
export const heldBy = (directory: string): Held => {
  const rows = ask<Row>(
    directory,
    "SELECT tbl, id, payload FROM record WHERE live = 1 ORDER BY id",
  ).map(({ tbl, id, payload }) => ({ tbl, id, payload: JSON.parse(payload) }));
  const folders = rows.filter(({ tbl }) => tbl === "sync_projects");
  const tasks = rows.filter(({ tbl }) => tbl === "sync_tasks").map(({ payload }) => payload);
  const place = ({ project_id, position }: Record<string, string>): string =>
    `${folders.findIndex(({ id }) => id === project_id)} ${position}`;
  return {
    folders: folders.map(({ payload }) => ({ name: payload.name })),
    tasks: tasks
      .toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
      .map((task) => ({
        folder: folders.find(({ id }) => id === task.project_id)?.payload.name,
        title: task.title,
        status: task.status,
        due: task.due ?? null,
        colour: task.colour,
        tags: task.tags ?? [],
        groups: (task.groups ?? []).map(({ title, colour }: Record<string, string>) => ({
          title,
          colour: colour ?? null,
        })),
        tabs: task.pages.map((page: Record<string, unknown>) => ({
          url: page["url"],
          title: page["title"],
          pinned: page["pinned"] ?? false,
          group: groupOf(task, page["group"]),
          added_at: page["added_at"] ?? null,
        })),
        notes: task.notes.map(({ text }: Record<string, string>) => text),
      })),
  };
};

const groupOf = (task: { readonly groups?: readonly Record<string, string>[] }, id: unknown) =>
  id === undefined ? null : task.groups?.find((group) => group["id"] === id)?.["title"];
