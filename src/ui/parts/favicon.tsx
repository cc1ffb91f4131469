import type { TabView } from "../../client/views.ts";
import { iconHost } from "../../domain/tasks/icon.ts";
import { iconOf } from "../state/icons.ts";
import { hostOf } from "../words/links.ts";
import { tinted } from "../words/names.ts";
import { Icon } from "./marks.tsx";

type FaviconProps = { readonly url: string };

/** The picture of a tab's site; a letter on a colour of its own where there is none. Screen readers pass over it. */
export const Favicon = ({ url }: FaviconProps) => {
  const site = siteOf(url);
  return site === null ? <Icon name="globe" size={16} /> : picture(site);
};

/**
 * The pictures of the first sites of a task, beside the number of its tabs. No component: a list draws hundreds of them
 * while it scrolls.
 */
export const favicons = (tabs: readonly TabView[]) => (
  <span class="favicons">{firstSites(tabs).map(picture)}</span>
);

/** What is drawn of a web site: its icon is found by its host; without one, a letter on a colour. */
type Site = { readonly host: string; readonly letter: string } & ReturnType<typeof tinted>;

/** The letter is drawn by the style sheet: it is no text of the page. */
const picture = ({ host, letter, style }: Site) => {
  const icon = iconOf(host).value;
  return icon === null ? (
    <span key={host} class="favicon letter" data-letter={letter} style={style} aria-hidden="true" />
  ) : (
    <img key={host} class="favicon" src={icon} width={16} height={16} alt="" draggable={false} />
  );
};

const siteOf = (url: string): Site | null => {
  const host = iconHost(url);
  if (host === null) return null;
  const name = hostOf(url);
  return { host, letter: /[\p{L}\p{N}]/u.exec(name)?.[0] ?? "?", ...tinted(name) };
};

const MOST = 3;

/** A view keeps its tabs until its record changes. */
const known = new WeakMap<readonly TabView[], readonly Site[]>();

const firstSites = (tabs: readonly TabView[]): readonly Site[] => {
  const there = known.get(tabs);
  if (there) return there;
  const sites = new Map<string, Site>();
  for (const { url } of tabs) {
    const site = siteOf(url);
    if (site !== null && !sites.has(site.host)) sites.set(site.host, site);
    if (sites.size === MOST) break;
  }
  const first = [...sites.values()];
  known.set(tabs, first);
  return first;
};
