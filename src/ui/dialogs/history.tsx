import type { TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { taskName } from "../../client/views.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/marks.tsx";
import { client, deletedTasks, state, tasks } from "../state/client.ts";
import { hideOverlay } from "../state/overlay.ts";
import { isPlainPress } from "../state/route.ts";
import { shell } from "../state/screen.ts";
import { historyPath } from "../views/places.ts";
import { momentWords } from "../words/dates.ts";

/**
 * What happened to a task. The server tells it on pages of the account area: this shows what they hold, follows their links
 * to each other and sends their forms, without leaving the app.
 */
export const TaskHistory = ({ id }: { readonly id: string }) => {
  const place = useRef<HTMLDivElement>(null);
  const [note, setNote] = useState<string | null>("Loading…");
  const open = async (path: string, form?: URLSearchParams): Promise<void> => {
    const read = await readPage(path, form);
    if (typeof read === "string") {
      setNote(read);
      return;
    }
    setNote(null);
    place.current?.replaceChildren(...read);
    place.current?.closest("dialog")?.scrollTo(0, 0);
    place.current?.focus();
  };
  useEffect(() => {
    // The server cannot tell what it has not got yet.
    const sent = state().waiting > 0 ? client().sync() : Promise.resolve();
    void sent.then(() => open(historyPath(id)));
  }, [id]);
  const follow = (event: TargetedEvent<HTMLElement, MouseEvent>): void => {
    const link = (event.target as Element).closest("a");
    if (link === null || !isPlainPress(event)) return;
    if (!isOfHistory(link.pathname)) return;
    event.preventDefault();
    void open(link.pathname + link.search);
  };
  const send = (event: TargetedEvent<HTMLElement, SubmitEvent>): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    const path = form.getAttribute("action") ?? "";
    void open(path, new URLSearchParams(fields)).then(() => client().sync());
  };
  const task = tasks.value.get(id) ?? deletedTasks.value.get(id);
  return (
    <Dialog label="History" class="sheet history">
      <header>
        <h2 dir="auto">{task ? `History of ${taskName(task)}` : "History"}</h2>
        <span class="spring" />
        <button
          type="button"
          class="icon-button"
          data-first
          aria-label="Close"
          onClick={hideOverlay}
        >
          <Icon name="x" />
        </button>
      </header>
      {note !== null && <p role="status">{note}</p>}
      <div
        ref={place}
        tabIndex={-1}
        role="region"
        aria-label="Changes"
        onClick={follow}
        onSubmit={send}
      />
    </Dialog>
  );
};

/** Whether an address is one of the pages that are shown here. */
const isOfHistory = (path: string): boolean =>
  /^\/account\/tasks\/[^/]+\/(history|restore)$/.test(path);

/** Returns what a page holds below its title, or a sentence on why there is nothing to show. */
const readPage = async (
  path: string,
  form?: URLSearchParams,
): Promise<readonly Node[] | string> => {
  const request = await load(path, form);
  if (request.status === 0) return "The history is on the server, which cannot be reached now.";
  if (request.status < 400 && !isOfHistory(new URL(request.responseURL).pathname)) {
    // The person must sign in again, or confirm who they are.
    shell.leave(path);
    return "Opening the page of the account…";
  }
  const main = request.responseXML?.querySelector("main");
  main?.querySelector(".title")?.remove();
  for (const time of main?.querySelectorAll("time") ?? [])
    time.textContent = momentWords(time.dateTime, true);
  for (const button of main?.querySelectorAll("button") ?? []) button.classList.add("button");
  return main && main.childNodes.length > 0
    ? [...main.childNodes]
    : `The server answered with an error (${request.status}). Try again later.`;
};

/** Loads a page as a document. Our policy lets no script read HTML from text, but a request may answer with a page. */
const load = (path: string, form?: URLSearchParams): Promise<XMLHttpRequest> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(form ? "POST" : "GET", path);
    request.responseType = "document";
    request.onloadend = () => resolve(request);
    request.send(form);
  });
