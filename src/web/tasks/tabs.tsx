import type { Tab } from "../../domain/tasks/children.ts";
import { Shown } from "../ui/shown.tsx";
import { webLink } from "./link.ts";
import { instantOf, Made } from "./maker.tsx";
import { Rest } from "./rest.tsx";
import { shortenedTo, shownName } from "../../domain/base/text.ts";

type ListProps = {
  readonly tabs: readonly Tab[];
  /** How many tabs the task has. */
  readonly count: number;
};

/** A task's tabs in their order. With script, a button above them opens them all. */
export const TabList = ({ tabs, count }: ListProps) => (
  <section>
    <h2>Tabs ({count})</h2>
    {tabs.length === 0 ? (
      <p>No saved tabs.</p>
    ) : (
      <ol data-open-all="">
        {tabs.map((tab, at) => (
          <li key={at}>
            <TabLine of={tab} />
          </li>
        ))}
      </ol>
    )}
    <Rest count={count - tabs.length} what="tabs" />
  </section>
);

/** Only web addresses become links. Everything else is text, and can be neither run nor opened from here. */
const TabLine = ({ of: tab }: { readonly of: Tab }) => {
  const link = webLink(tab.url);
  const title = <Shown text={shownName(tab.title, shownName(tab.url))} />;
  return (
    <>
      {link ? (
        <a href={link.href} title={shortened(link.href)} target="_blank" rel="noopener noreferrer">
          {title}
        </a>
      ) : (
        title
      )}{" "}
      {link ? (
        <strong>{link.host}</strong>
      ) : (
        <>
          <span class="badge plain">not a web address</span>{" "}
          <span class="quiet-text">
            <Shown text={shortened(tab.url)} />
          </span>
        </>
      )}{" "}
      <Made by={tab} at={instantOf(tab.created_at)} />
    </>
  );
};

const LONGEST = 300;

const shortened = (url: string): string => shortenedTo(url.toWellFormed(), LONGEST);
