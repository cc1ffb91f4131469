import { searchTasks } from "../../client/search.ts";
import { type Choice, Chooser } from "../parts/chooser.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { folders } from "../state/client.ts";
import { openTasks } from "../state/open.ts";
import { hideOverlay } from "../state/overlay.ts";
import { go, openTask, pathTo } from "../state/route.ts";
import { type Command, commands } from "../keys/commands.ts";
import { Dot } from "../parts/dot.tsx";

const MOST = 30;

/** Everything in one field: every action, view, folder and task. */
export const Palette = () => (
  <Dialog label="Find or do anything" class="palette">
    <Chooser
      label="Find or do anything"
      placeholder="Type an action or a task"
      none="Nothing fits. Try another word."
      choices={(text) => {
        const typed = text.trim().toLowerCase();
        const fits = (name: string) => name.toLowerCase().includes(typed);
        const acts = commands().filter(({ name }) => fits(name));
        const places = folders.value.filter(({ name }) => typed !== "" && fits(name));
        const tasks = typed === "" ? [] : searchTasks(openTasks.value, typed).slice(0, MOST);
        return [...acts.map(commandChoice), ...places.map(folderChoice), ...tasks.map(taskChoice)];
      }}
    />
  </Dialog>
);

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
      <Dot colour={colour} />
      <span class="name">{name}</span>
      <span class="soft">Folder</span>
    </>
  ),
  run: () => {
    hideOverlay();
    go(pathTo({ view: "folder", folder: id }));
  },
});

const taskChoice = ({ id, title }: (typeof openTasks.value)[number]): Choice => ({
  key: `task ${id}`,
  shown: (
    <>
      <Icon name="circle" />
      <span class="name" dir="auto">
        {title || "Untitled"}
      </span>
    </>
  ),
  run: () => {
    hideOverlay();
    openTask(id);
  },
});
