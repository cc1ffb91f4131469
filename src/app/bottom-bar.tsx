import { Icon, type IconName } from "../ui/parts/marks.tsx";
import { drawer, show } from "../ui/state/overlay.ts";
import { pathTo, route, type View } from "../ui/state/route.ts";

const TABS: readonly (readonly [view: View, name: string, icon: IconName])[] = [
  ["today", "Today", "sun"],
  ["inbox", "Inbox", "inbox"],
];
const MORE: readonly (readonly [view: View, name: string, icon: IconName])[] = [
  ["search", "Search", "search"],
];

/** On a phone: the views used most, and the way to a new task, under the thumb. */
export const BottomBar = () => (
  <nav class="bottom-bar" aria-label="Main views">
    {TABS.map(tab)}
    <button
      type="button"
      class="add"
      aria-label="New task"
      onClick={() => show({ kind: "new-task" })}
    >
      <Icon name="plus" size={22} />
    </button>
    {MORE.map(tab)}
    <button
      type="button"
      aria-expanded={drawer.value}
      onClick={() => (drawer.value = !drawer.value)}
    >
      <Icon name="menu" size={20} />
      More
    </button>
  </nav>
);

const tab = ([view, name, icon]: readonly [View, string, IconName]) => (
  <a
    key={view}
    href={pathTo({ view })}
    aria-current={route.value.view === view ? "page" : undefined}
  >
    <Icon name={icon} size={20} />
    {name}
  </a>
);
