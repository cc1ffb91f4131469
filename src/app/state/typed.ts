import { effect, type Signal, signal } from "@preact/signals";
import { client } from "./client.ts";
import { isInExtension } from "./page.ts";

// What was typed and is not saved yet. It outlives its field and a reload, until it is used or emptied.

/** A tab of the web app has its own. The popup and the panel end when they close, so the browser keeps it for them. */
const store = isInExtension ? localStorage : sessionStorage;

const fields = new Map<string, Signal<string>>();

/**
 * Returns what is typed into a field, to be shown, changed, and emptied once it is used. `field` names the field, with
 * the id of the task or the like that it belongs to.
 */
export const typedIn = (field: string, owner = client().account.id): Signal<string> => {
  const place = `docket-typed ${owner} ${field}`;
  const known = fields.get(place);
  if (known) return known;
  const text = signal(store.getItem(place) ?? "");
  fields.set(place, text);
  effect(() => keep(place, text.value));
  return text;
};

const keep = (place: string, text: string): void => {
  try {
    store.removeItem(place);
    if (text !== "") store.setItem(place, text);
  } catch {
    // The browser has no room. The text is in the field still.
  }
};
