import { Icon } from "../parts/marks.tsx";
import { proposedTasks, todayTasks, unsortedTasks } from "../state/lists.ts";
import { inboxTask, openTasks } from "../state/open.ts";
import { newFromAgents } from "../state/looked.ts";
import { drawer, show } from "../state/overlay.ts";
import { pathTo, route } from "../state/route.ts";
import { dropOnPlace } from "../list/drop-place.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Folders } from "./folders.tsx";
import { LATER_PLACES, type NamedView, PLACES } from "../views/places.ts";
import { SyncLine } from "./sync-line.tsx";

/** The side bar, and what closes it by a press beside it where it slides in. */
export const Drawer = () => (
  <>
    <Sidebar />
    <button
      type="button"
      class="scrim"
      aria-label="Close the menu"
      tabIndex={-1}
      onClick={() => (drawer.value = false)}
    />
  </>
);

/** The views, the folders, the account, and how the sync is doing. On a phone it slides in. */
const Sidebar = () => (
  <nav
    class="sidebar"
    aria-label="Views"
    onClick={(event) => {
      if ((event.target as Element).closest("a")) drawer.value = false;
    }}
  >
    <div class="side-head">
      <AccountMenu />
    </div>
    <div class="side-actions">
      <button type="button" class="new-task" onClick={() => show({ kind: "new-task" })}>
        <Icon name="plus" /> New task <kbd>n</kbd>
      </button>
      <a
        class="icon-button"
        href={pathTo({ view: "search" })}
        aria-label="Search"
        title="Search ( / )"
      >
        <Icon name="search" />
      </a>
    </div>
    <ul>
      {PLACES.map((place) => (
        <PlaceLink key={place.view} place={place} />
      ))}
    </ul>
    <Folders />
    <ul class="side-later">
      {LATER_PLACES.map((place) => (
        <PlaceLink key={place.view} place={place} />
      ))}
    </ul>
    <div class="side-foot">
      <SyncLine />
      <button
        type="button"
        class="icon-button"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts ( ? )"
        onClick={() => show({ kind: "shortcuts" })}
      >
        <Icon name="keyboard" />
      </button>
    </div>
  </nav>
);

const PlaceLink = ({ place: { view, name, icon, key } }: { readonly place: NamedView }) => {
  const number = numberOf(view);
  return (
    <li {...dropOnPlace(view)}>
      <a
        class="place"
        href={pathTo({ view })}
        aria-current={route.value.view === view ? "page" : undefined}
        title={`${name} ( g ${key} )`}
      >
        <Icon name={icon} />
        <span class="name">{name}</span>
        {number > 0 && <span class={view === "agents" ? "number fresh" : "number"}>{number}</span>}
      </a>
    </li>
  );
};

const numberOf = (view: NamedView["view"]): number => {
  const inbox = inboxTask.value;
  switch (view) {
    case "inbox":
      return (inbox?.tabs.length ?? 0) + (inbox?.notes.length ?? 0) + unsortedTasks.value.length;
    case "today":
      return todayTasks.value.length;
    case "open":
      return openTasks.value.length - (inbox ? 1 : 0);
    case "agents":
      return newFromAgents.value.length + proposedTasks.value.length;
    default:
      return 0;
  }
};
