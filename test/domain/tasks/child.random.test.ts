import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type FiledChild,
  childId,
  childValue,
  recogniseChildren,
} from "../../../src/domain/tasks/child.ts";
import { cases } from "../../support/random.ts";

type Item = { readonly id?: string; readonly url: string };

// Few URLs, so that equal ones are common.
const urls = fc.constantFrom("a", "b", "c");

/** A list in which each item is a key's or a person's. A person's item may have no id. */
const lists = fc
  .array(fc.record({ url: urls, mine: fc.boolean(), named: fc.boolean() }), { maxLength: 8 })
  .map((items) => ({
    before: items.map(({ url, mine, named }, at): Item =>
      mine || named ? { id: `id-${at}`, url } : { url },
    ),
    mine: items.flatMap(({ mine }, at): FiledChild[] =>
      mine ? [{ list: "pages", id: `id-${at}`, key: "bot", createdAt: "", at }] : [],
    ),
  }));

/** What a device may push next: items dropped or moved, ids dropped or rewritten, new items added. */
const next = (before: readonly Item[]): fc.Arbitrary<Item[]> => {
  const kept = fc
    .shuffledSubarray([...before])
    .chain((items) =>
      fc.tuple(
        ...items.map((item, at) =>
          fc.constantFrom<Item>(item, { url: item.url }, { id: `new-${at}`, url: item.url }),
        ),
      ),
    );
  const added = fc.array(
    urls.map((url): Item => ({ url })),
    { maxLength: 3 },
  );
  return fc.tuple(kept, added).map(([items, more]) => [...items, ...more]);
};

const pushes = lists.chain((list) => next(list.before).map((after) => ({ ...list, after })));

test("No push ever turns a person's tab into a key's", () => {
  fc.assert(
    fc.property(pushes, ({ before, mine, after }) => {
      const found = recogniseChildren(mine, "pages", before, after);
      const places = found.flatMap(({ at }) => (at === null ? [] : [at]));
      expect(new Set(places).size).toBe(places.length);
      const minesIds = new Set(mine.map(({ id }) => id));
      const persons = before.filter(({ id }) => id === undefined || !minesIds.has(id));
      const returned = new Set(after.map(childId));
      for (const at of places) {
        const id = childId(after[at]);
        if (id !== null && before.some((item) => item.id === id))
          expect(minesIds.has(id)).toBe(true);
      }
      // For each URL, as many tabs remain the person's as they had, if there are still that many.
      for (const url of ["a", "b", "c"]) {
        const theirs = persons.filter(
          (item) => item.url === url && (item.id === undefined || !returned.has(item.id)),
        ).length;
        const unnamed = after.flatMap((item, at) =>
          item.url === url && !before.some(({ id }) => id !== undefined && id === item.id)
            ? [at]
            : [],
        );
        const left = unnamed.filter((at) => !places.includes(at)).length;
        expect(left).toBeGreaterThanOrEqual(Math.min(theirs, unnamed.length));
      }
    }),
    cases(5_000),
  );
});

test("Whatever a device does to the ids, a key's tab that came back is still the key's", () => {
  const same = lists.chain((list) =>
    fc
      .tuple(...list.before.map(() => fc.constantFrom("kept", "dropped", "rewritten")))
      .chain((fates) => {
        const items = list.before.map(({ id, url }, at): Item => {
          if (fates[at] === "kept" && id !== undefined) return { id, url };
          return fates[at] === "rewritten" ? { id: `new-${at}`, url } : { url };
        });
        return fc
          .shuffledSubarray(items, { minLength: items.length })
          .map((after) => ({ ...list, after }));
      }),
  );
  fc.assert(
    fc.property(same, ({ before, mine, after }) => {
      const found = recogniseChildren(mine, "pages", before, after);
      for (const [index, { at }] of found.entries()) {
        expect(at).not.toBeNull();
        const was = before[mine[index]?.at ?? -1];
        expect(childValue("pages", after[at ?? -1])).toBe(was?.url ?? "");
      }
    }),
    cases(5_000),
  );
});

test("A key's tabs keep their order, number, names and times through every push", () => {
  fc.assert(
    fc.property(pushes, ({ before, mine, after }) => {
      const found = recogniseChildren(mine, "pages", before, after);
      expect(found.map((item) => ({ ...item, at: 0 }))).toEqual(
        mine.map((item) => ({ ...item, at: 0 })),
      );
    }),
    cases(1_000),
  );
});
