import { useSignal } from "@preact/signals";
import { addTabs, createTask } from "../../client/edits.ts";
import { onTop } from "../../client/lists.ts";
import { act, attempt } from "../acts/act.ts";
import { type Picked, PickTask } from "../dialogs/pick-task.tsx";
import { client, records } from "../state/client.ts";
import { inboxFor } from "../state/open.ts";
import { pathTo, route } from "../state/route.ts";
import { taskName } from "../../client/views.ts";
import { INBOX_TITLE, splitTitle } from "../../domain/tasks/task.ts";
import { hostOf, type Link } from "../words/links.ts";
import { sharedLinks } from "../words/shared.ts";
import { Head } from "./head.tsx";

/** Where Share on a phone and the bookmarklet lead: files the link into the inbox, or into the task that you choose. */
export const ShareView = () => {
  const saved = useSignal<string | null>(null);
  const links = sharedLinks(route.value.query);
  const save = async (picked: Picked | null): Promise<boolean> => {
    const name = await attempt(() => file(links, picked), null);
    if (name !== null) saved.value = name;
    return name !== null;
  };
  return (
    <>
      <Head title="Save a link" />
      <div class="scroll">
        <div class="share">
          {links.length === 0 && (
            <p>There is no web address to save. Share a page from your browser to save it here.</p>
          )}
          {links.map(({ url, title }) => (
            <p key={url} class="shared">
              <b dir="auto">{title ?? url}</b>
              <span class="soft">{hostOf(url)}</span>
            </p>
          ))}
          {saved.value !== null ? (
            <Saved place={saved.value} />
          ) : (
            links.length > 0 && (
              <>
                <button type="button" class="button main wide" onClick={() => void save(null)}>
                  Save to the inbox
                </button>
                <p class="soft or">or choose a task</p>
                <PickTask onPick={save} />
              </>
            )
          )}
        </div>
      </div>
    </>
  );
};

const Saved = ({ place }: { readonly place: string }) => (
  <div role="status">
    <p>Saved to “{place}”.</p>
    <p>
      <button type="button" class="button main" onClick={() => close()}>
        Close this window
      </button>{" "}
      <a class="button" href={pathTo({ view: "inbox" })}>
        Go to the inbox
      </a>
    </p>
  </div>
);

/** Returns the name of the task that the links are in now; null if they could not be saved. */
const file = async (links: readonly Link[], picked: Picked | null): Promise<string | null> => {
  await client().whole;
  const id = picked?.id ?? (picked === null ? inboxFor(links)?.id : undefined);
  const title = picked?.name ?? INBOX_TITLE;
  const edits =
    id === undefined
      ? onTop(records.value, [{ id: client().newId(), title, tabs: links }]).map(createTask)
      : [addTabs(id, links)];
  return (await act("Link saved", edits)) ? taskName(splitTitle(title)) : null;
};
