import { searchTasks } from "../../client/search.ts";
import { Chooser } from "../parts/chooser.tsx";
import { Icon } from "../parts/icon.tsx";
import { foldersById } from "../state/client.ts";
import { inboxTask, openTasks } from "../state/open.ts";

/** The task that someone picked; without an id, they want a new one of this title. */
export type Picked = { readonly id?: string; readonly title: string };

type PickTaskProps = {
  readonly without?: string;
  /** Whether the inbox can be chosen too. */
  readonly withInbox?: boolean;
  readonly onPick: (picked: Picked) => void;
};

const MOST = 50;

/** Chooses a task by typing a part of it, or makes a new one of what was typed. */
export const PickTask = ({ without = "", withInbox = false, onPick }: PickTaskProps) => {
  const inbox = inboxTask.value;
  const open = openTasks.value.filter(({ id }) => id !== without && id !== inbox?.id);
  const choices = (text: string) => {
    const found = (text.trim() === "" ? open : searchTasks(open, text)).slice(0, MOST);
    const title = text.trim();
    return [
      ...found.map(({ id, title: name, folderId }) => ({
        key: id,
        shown: (
          <>
            <Icon name="circle" />
            <span class="name" dir="auto">
              {name || "Untitled"}
            </span>
            <span class="soft">{foldersById.value.get(folderId ?? "")?.name}</span>
          </>
        ),
        run: () => onPick({ id, title: name }),
      })),
      ...(withInbox && inbox && inbox.id !== without && "inbox".includes(title.toLowerCase())
        ? [
            {
              key: inbox.id,
              shown: (
                <>
                  <Icon name="inbox" />
                  <span class="name">Inbox</span>
                </>
              ),
              run: () => onPick({ id: inbox.id, title: inbox.title }),
            },
          ]
        : []),
      ...(title === ""
        ? []
        : [
            {
              key: "new",
              shown: (
                <>
                  <Icon name="plus" />
                  <span class="name">New task “{title}”</span>
                </>
              ),
              run: () => onPick({ title }),
            },
          ]),
    ];
  };
  return (
    <Chooser
      label="Choose a task"
      placeholder="Find a task, or type the title of a new one"
      none="No open tasks yet. Type a title to make one."
      choices={choices}
    />
  );
};
