import { createFolder, createTask, remove } from "../../client/edits.ts";
import { computed, signal } from "@preact/signals";
import { client, foldersById, tasks } from "../state/client.ts";
import { today } from "../state/screen.ts";
import { addDays } from "../words/dates.ts";
import { act } from "./act.ts";

const PLACE = "docket-sample";

type Sample = { readonly folder: string; readonly tasks: readonly string[] };

const read = (): Sample | null =>
  JSON.parse(localStorage.getItem(PLACE) ?? "null") as Sample | null;

const made = signal(read());

/** Whether the example is there, and was made in this browser. */
export const hasSample = computed(
  () =>
    made.value !== null &&
    (foldersById.value.has(made.value.folder) ||
      made.value.tasks.some((id) => tasks.value.has(id))),
);

/** Adds a folder with a few tasks that show what a task can hold. */
export const addSample = async (): Promise<void> => {
  const { newId } = client();
  const folder = newId();
  const ids = [newId(), newId(), newId()] as const;
  const due = addDays(today.value, 3);
  const isAdded = await act(
    "Example added",
    [
      createFolder({ id: folder, name: "Example: a trip to Oslo", colour: "teal" }),
      createTask({
        id: ids[0],
        title: "Book the night train",
        folderId: folder,
        due: today.value,
        tags: ["travel"],
        tabs: [
          { url: "https://www.vy.no/en", title: "Trains in Norway" },
          { url: "https://www.seat61.com/Norway.htm", title: "How to travel by train to Norway" },
        ],
        notes: [
          { text: "Two berths, and a place for the bicycles. Ask at https://www.vy.no/en/help" },
        ],
      }),
      createTask({
        id: ids[1],
        title: "Choose museums for a rainy day",
        folderId: folder,
        due,
        status: "in_progress",
        tabs: [
          { url: "https://www.munchmuseet.no/en/", title: "MUNCH" },
          { url: "https://www.nasjonalmuseet.no/en/", title: "The National Museum" },
          { url: "https://frammuseum.no/", title: "Fram Museum" },
        ],
      }),
      createTask({ id: ids[2], title: "Ask Kari for the key", folderId: folder, tags: ["call"] }),
    ],
    { notice: true },
  );
  if (isAdded) note({ folder, tasks: ids });
};

/** Takes the example away again, with what was changed in it. */
export const removeSample = async (): Promise<void> => {
  const sample = made.value;
  if (sample === null) return;
  const gone = [
    ...sample.tasks.filter((id) => tasks.value.has(id)).map((id) => remove("sync_tasks", id)),
    ...(foldersById.value.has(sample.folder) ? [remove("sync_projects", sample.folder)] : []),
  ];
  await act("Example removed", gone, { notice: true });
};

const note = (sample: Sample): void => {
  localStorage.setItem(PLACE, JSON.stringify(sample));
  made.value = sample;
};
