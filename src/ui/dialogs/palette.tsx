import { recordName } from "../../domain/base/record.ts";
import { RANK_STEP, type Ranked, rankName } from "../../client/rank.ts";
import { isInbox } from "../../client/views.ts";
import { type Choice, Chooser } from "../parts/chooser.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FolderIcon, Icon } from "../parts/marks.tsx";
import { folders } from "../state/client.ts";
import { hideOverlay } from "../state/overlay.ts";
import { go, openTask, pathTo } from "../state/route.ts";
import { findTasks } from "../state/used.ts";
import { type Command, commands } from "../keys/commands.ts";
import { TaskLine } from "./pick-task.tsx";

const MOST = 30;

/** Everything in one field: every action, view, folder and task. */
export const Palette = () => (
  <Dialog label="Find or do anything" class="palette">
    <Chooser
      label="Find or do anything"
      placeholder="Type an action or a task"
      none="Nothing fits. Try another word."
      choices={choicesFor}
    />
  </Dialog>
);

/** Actions, folders and tasks, the best first. Actions and folders are few, so they rank a step better than tasks. */
const choicesFor = (text: string): readonly Choice[] => {
  if (text.trim() === "") return commands().map(commandChoice);
  const named = <T extends { readonly name: string }>(
    all: readonly T[],
    choice: (one: T) => Choice,
  ) =>
    all.flatMap((one) => {
      const rank = rankName(one.name, text);
      return rank === null ? [] : [{ rank: rank - RANK_STEP, choice: choice(one) }];
    });
  const tasks = findTasks(text, MOST).map((one) => ({ rank: one.rank, choice: taskChoice(one) }));
  const shown = folders.value.map((one) => ({
    ...one,
    name: recordName("sync_projects", one.name),
  }));
  return [...named(commands(), commandChoice), ...named(shown, folderChoice), ...tasks]
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
};

const commandChoice = ({ name, icon, keys, run }: Command): Choice => ({
  key: `command ${name}`,
  shown: (
    <>
      <Icon name={icon} />
      <span class="name">{name}</span>
      {keys && <kbd>{keys}</kbd>}
    </>
  ),
  run: () => {
    hideOverlay();
    run();
  },
});

const folderChoice = ({ id, name, colour }: (typeof folders.value)[number]): Choice => ({
  key: `folder ${id}`,
  shown: (
    <>
      <FolderIcon colour={colour} />
      <span class="name">{name}</span>
      <span class="soft">Folder</span>
    </>
  ),
  run: () => {
    hideOverlay();
    go(pathTo({ view: "folder", folder: id }));
  },
});

const taskChoice = ({ task }: Ranked): Choice => ({
  key: `task ${task.id}`,
  shown: <TaskLine task={task} />,
  run: () => {
    hideOverlay();
    if (isInbox(task)) go(pathTo({ view: "inbox" }));
    else openTask(task.id);
  },
});
