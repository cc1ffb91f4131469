import { isObject, listField, type Payload, textField } from "../domain/base/payload.ts";
import type { Table } from "../domain/base/record.ts";
import { childId } from "../domain/tasks/child.ts";
import type { Edit } from "./edit.ts";
import { gone } from "./edits.ts";
import { mergeText } from "./merge-text.ts";
import type { LostText } from "./state.ts";

// Two devices changed the same words of a title while one of them was offline. One version stays, and the other one is
// kept here until the person has chosen.

/** Titles and names that gave way, by their places in a record: `title`, `name`, or a list and the id of its item. */
export type LostTexts = Readonly<Record<string, string>>;

type Versions = {
  readonly was: Payload;
  readonly mine: Payload;
  readonly theirs: Payload;
  readonly merged: Payload;
};

/** Returns what a merge left out of titles and names, mine or theirs. */
export const lostIn = ({ was, mine, theirs, merged }: Versions): LostTexts => {
  const [before, made, is, now] = [was, mine, theirs, merged].map(textsIn);
  const lost = [...(made ?? [])].flatMap(([place, my]) => {
    const [base, their, left] = [before?.get(place), is?.get(place), now?.get(place)];
    if (base === undefined || their === undefined || left === undefined) return [];
    if (my === base || their === base || my === their) return [];
    const ofMine = mergeText(base, my, their, "title");
    if (!ofMine.lostTheirs) return [];
    return [[place, left === ofMine.text ? their : my] as const];
  });
  return Object.fromEntries(lost);
};

/** Returns the texts of a record that gave way and are not there again. */
export const lostTexts = (
  table: Table,
  id: string,
  payload: Payload,
  lost: LostTexts,
): readonly LostText[] => {
  const texts = textsIn(payload);
  return Object.entries(lost).flatMap(([place, text]) => {
    const kept = texts.get(place);
    return kept === undefined || kept === text ? [] : [{ table, id, place, text, kept }];
  });
};

/** Puts a text back where another one was kept. */
export const putBack =
  ({ table, id, place, text }: LostText): Edit =>
  async (desk) => {
    const payload = await desk.read(table, id);
    if (payload === null) throw gone(table);
    await desk.write(table, id, withText(payload, place, text));
  };

const LISTS = ["groups", "pages"] as const;

const textsIn = (payload: Payload): ReadonlyMap<string, string> =>
  new Map([
    ...["title", "name"].flatMap((field) => placed(field, textField(payload, field))),
    ...LISTS.flatMap((list) =>
      listField(payload, list)
        .filter(isObject)
        .flatMap((item) => placed(`${list} ${childId(item)}`, textField(item, "title"))),
    ),
  ]);

const placed = (place: string, text: string | null): readonly (readonly [string, string])[] =>
  text === null ? [] : [[place, text]];

const withText = (payload: Payload, place: string, text: string): Payload => {
  const list = LISTS.find((name) => place.startsWith(`${name} `));
  if (list === undefined) return { ...payload, [place]: text };
  const items = listField(payload, list).map((item) =>
    isObject(item) && `${list} ${childId(item)}` === place ? { ...item, title: text } : item,
  );
  return { ...payload, [list]: items };
};
