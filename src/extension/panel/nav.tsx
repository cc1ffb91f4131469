import { connected } from "../connect/connected.ts";
import { dropOnPlace } from "../../ui/list/drop-place.ts";
import { Icon, type IconName } from "../../ui/parts/marks.tsx";
import { drawer, show } from "../../ui/state/overlay.ts";
import { pathTo, route, type View } from "../../ui/state/route.ts";
import { PLACES } from "../../ui/views/places.ts";
import { browser } from "../browser/api.ts";
import { openOptions } from "../parts/standing.tsx";

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

/** Opens a page of the server in a tab. The extension has no account pages of its own, and its options sign in. */
export const leave = (path: string): void => {
  const { server, token } = connected.value ?? { server: null, token: null };
  if (server === null || token === null || path.startsWith("/sign-in")) void openOptions();
  else open(`${server}${path}`);
};

const open = (url: string): void => void browser.tabs.create({ url, active: true });

/**
 * Takes over the links that the app has to the pages of its server, and those to its own views where they are to be in
 * a tab: with a middle click, or with Ctrl.
 */
export const followLinksOut = (): void => {
  for (const kind of ["click", "auxclick"] as const)
    document.addEventListener(kind, (event) => {
      const link = (event.target as Element).closest?.("a[href^='/']");
      const path = link?.getAttribute("href");
      if (path == null || event.defaultPrevented || event.button > 1) return;
      const isApart = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
      if (!path.startsWith("/tasks")) leave(path);
      else if (isApart) open(browser.runtime.getURL(`panel.html#${path}`));
      else return;
      event.preventDefault();
    });
};
