import { batch, effect, type Signal, signal } from "@preact/signals";
import { client } from "./client.ts";
import { takeLeft } from "./left.ts";
import { isInExtension } from "./screen.ts";

// What was typed and is not saved yet. It outlives its field and a reload, until it is used or emptied.

/** A tab of the web app has its own, and leaves it when it is closed. The popup and the panel end when they close, so the browser keeps it for them. */
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
  const text = signal(store.getItem(place) ?? takeLeft(place));
  fields.set(place, text);
  effect(() => keep(place, withLeaving(text)));
  return text;
};

/** A text that has left its field, which is ready for the next, and is not saved yet. */
type Leaving = {
  readonly field: Signal<string>;
  readonly text: string;
  /** What goes between it and what is typed meanwhile. */
  readonly joint: string;
};

const leaving = signal<readonly Leaving[]>([]);

/**
 * Saves a text that has left its field. Until that is done, the browser keeps it with what is in the field: the page may
 * be closed at any moment. If it fails, the text comes back in front of what was typed meanwhile.
 */
export const saveFrom = async (
  field: Signal<string>,
  text: string,
  save: (text: string) => Promise<boolean>,
  joint = " ",
): Promise<void> => {
  const one = { field, text, joint };
  leaving.value = [...leaving.value, one];
  const isSaved = await save(text);
  batch(() => {
    leaving.value = leaving.value.filter((other) => other !== one);
    if (!isSaved) field.value = joined(one, field.value);
  });
};

const withLeaving = (field: Signal<string>): string =>
  leaving.value
    .filter((one) => one.field === field)
    .reduceRight((rest, one) => joined(one, rest), field.value);

const joined = ({ text, joint }: Leaving, rest: string): string =>
  rest === "" ? text : text + joint + rest;

const keep = (place: string, text: string): void => {
  try {
    store.removeItem(place);
    if (text !== "") store.setItem(place, text);
  } catch {
    // The browser has no room. The text is in the field still.
  }
};
