import type { TabView } from "../../client/views.ts";
import { iconHost } from "../../domain/tasks/icon.ts";
import { iconOf } from "../state/icons.ts";
import { hostOf } from "../words/links.ts";
import { tinted } from "../words/names.ts";
import { Icon } from "./marks.tsx";

type FaviconProps = { readonly url: string };

/** The picture of a tab's site; a letter on a colour of its own where there is none. Screen readers pass over it. */
export const Favicon = ({ url }: FaviconProps) => {
  const host = iconHost(url);
  if (host === null) return <Icon name="globe" size={16} />;
  const icon = iconOf(host).value;
  return icon === null ? (
    <Letter name={hostOf(url)} />
  ) : (
    <img class="favicon" src={icon} width={16} height={16} alt="" draggable={false} />
  );
};

/** The letter is drawn by the style sheet: it is no text of the page. */
const Letter = ({ name }: { readonly name: string }) => (
  <span
    class="favicon letter"
    data-letter={/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "?"}
    {...tinted(name)}
    aria-hidden="true"
  />
);

/** The pictures of the first sites of a task, beside the number of its tabs. */
export const Favicons = ({ tabs }: { readonly tabs: readonly TabView[] }) => (
  <span class="favicons">
    {firstSites(tabs).map((url) => (
      <Favicon key={url} url={url} />
    ))}
  </span>
);

const MOST = 3;

const firstSites = (tabs: readonly TabView[]): readonly string[] => {
  const sites = new Map<string, string>();
  for (const { url } of tabs) {
    const host = iconHost(url);
    if (host !== null && !sites.has(host)) sites.set(host, url);
    if (sites.size === MOST) break;
  }
  return [...sites.values()];
};
