import { dropOnPlace } from "../../app/list/drop-place.ts";
import { Icon, type IconName } from "../../app/parts/icon.tsx";
import { drawer, show } from "../../app/state/overlay.ts";
import { pathTo, route, type View } from "../../app/state/route.ts";
import { PLACES } from "../../app/views/places.ts";

const SHOWN: readonly View[] = ["inbox", "today", "open"];

/** The views used most, and the way to all others. Tasks and tabs are dropped on them as on those of the side bar. */
export const Nav = () => (
  <nav class="panel-nav" aria-label="Main views">
    <button
      type="button"
      class="icon-button"
      aria-label="All views and folders"
      title="All views and folders"
      aria-expanded={drawer.value}
      onClick={() => (drawer.value = !drawer.value)}
    >
      <Icon name="menu" />
    </button>
    <ul>
      {PLACES.filter(({ view }) => SHOWN.includes(view)).map(({ view, name, icon, key }) => (
        <li key={view} {...dropOnPlace(view)}>
          <ViewLink view={view} name={name} icon={icon} keys={`g ${key}`} />
        </li>
      ))}
      <li>
        <ViewLink view="search" name="Search" icon="search" keys="/" />
      </li>
    </ul>
    <span class="spring" />
    <button
      type="button"
      class="icon-button"
      aria-label="New task"
      title="New task ( n )"
      onClick={() => show({ kind: "new-task" })}
    >
      <Icon name="plus" />
    </button>
  </nav>
);

type ViewLinkProps = {
  readonly view: View;
  readonly name: string;
  readonly icon: IconName;
  readonly keys: string;
};

const ViewLink = ({ view, name, icon, keys }: ViewLinkProps) => (
  <a
    class="icon-button"
    href={pathTo({ view })}
    aria-label={name}
    aria-current={route.value.view === view ? "page" : undefined}
    title={`${name} ( ${keys} )`}
  >
    <Icon name={icon} />
  </a>
);
