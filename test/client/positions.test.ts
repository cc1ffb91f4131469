import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatInstant } from "../../src/domain/base/instant.ts";
import {
  comparePlaces,
  placeOf,
  type Placed,
  placesFor,
  topPlaces,
} from "../../src/domain/tasks/positions.ts";
import { cases } from "../support/random.ts";

const newList = (count: number): readonly Placed[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}`, position: null }));

/** Tasks without a position, the newest first. Those of one push share their time. */
const timed = (count: number): readonly Placed[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `task ${String(at).padStart(5, "0")}`,
    position: null,
    updatedAt: formatInstant(1_770_000_000_000 - Math.floor(at / 3)),
  }));

/** Moves records to an index, as a person does who drags them. Returns the list as every device then sorts it. */
const drag = (list: readonly Placed[], moved: readonly string[], at: number) => {
  const places = placesFor(list, moved, at);
  const index = new Map(list.map(({ id }, place) => [id, place]));
  const sorted = list
    .map(({ id, position }) => ({ id, position: places.get(id) ?? position }))
    // Records that share a place keep the order they had, which comes from their times.
    .toSorted((a, b) => {
      const [one, other] = [placeOf(a), placeOf(b)];
      if (one !== other) return one < other ? -1 : 1;
      return (index.get(a.id) ?? 0) - (index.get(b.id) ?? 0);
    });
  return { sorted, written: places.size };
};

const ids = (list: readonly Placed[]): readonly string[] => list.map(({ id }) => id);

const expected = (list: readonly Placed[], moved: readonly string[], at: number) => {
  const stays = ({ id }: Placed): boolean => !moved.includes(id);
  const [above, below] = [list.slice(0, at).filter(stays), list.slice(at).filter(stays)];
  return [...ids(above), ...moved, ...ids(below)];
};

describe("of 10,000 tasks without a position, dragging writes only what was dragged:", () => {
  for (const [where, moved, at] of [
    ["one to the top", ["9000"], 0],
    ["several to the top", ["9000", "4", "17"], 0],
    ["one to the end", ["9"], 10_000],
  ] as const)
    test(where, () => {
      const list = newList(10_000);
      const { sorted, written } = drag(list, moved, at);
      expect(written).toBe(moved.length);
      expect(ids(sorted)).toEqual(expected(list, moved, at));
    });
});

test("a drag near the top writes as many as are above, and near the end as many as are below", () => {
  expect(drag(newList(10_000), ["9000"], 3).written).toBe(4);
  expect(drag(newList(10_000), ["9"], 9_998).written).toBe(3);
});

test("what was dragged to the top stays above new records, and what was dragged to the end below", () => {
  const top = drag(newList(5), ["4"], 0).sorted;
  const both = drag(top, ["0"], 5).sorted;
  const { sorted } = drag([...both, { id: "new", position: null }], [], 0);
  expect(ids(sorted)).toEqual(["4", "1", "2", "3", "new", "0"]);
});

test("a list that is arranged again and again is always as the person put it", () => {
  let list = newList(30);
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let turn = 0; turn < 2_000; turn += 1) {
    const moved = [...new Set([`${random(30)}`, `${random(30)}`])].slice(0, 1 + random(2));
    const at = random(31);
    const { sorted } = drag(list, moved, at);
    expect(ids(sorted)).toEqual(expected(list, moved, at));
    list = sorted;
  }
});

test("a list in another order than its positions is arranged all the same", () => {
  const list = ["a5", "a1", "a1", "a3", null].map((position, at) => ({ id: `${at}`, position }));
  const places = placesFor(list, ["4"], 1);
  const placed = list.slice(0, 2).map((one) => places.get(one.id) ?? placeOf(one));
  const four = places.get("4") ?? "";
  expect((placed[0] ?? "") < four && four < (placed[1] ?? "")).toBe(true);
});

test.each([
  [["1", "2", "3"], 1],
  // There is no text between the first two.
  [["a", "a!", "a!!", "b"], 4],
  [["1000", "2000", "3000"], 1],
  [["!", "#", "$", "%"], 2],
] as const)(
  "among positions of another client that are no keys, %j, one gets a new one",
  (all, most) => {
    const list = all.map((position, at) => ({ id: `${at}`, position }));
    const last = `${list.length - 1}`;
    const { sorted, written } = drag(list, [last], 1);
    expect([ids(sorted), written <= most]).toEqual([expected(list, [last], 1), true]);
  },
);

const move = (list: readonly Placed[], moved: readonly string[], at: number) => {
  const places = placesFor(list, moved, at);
  const placed = list.map((one) => ({ ...one, position: places.get(one.id) ?? one.position }));
  return { sorted: placed.toSorted(comparePlaces), written: [...places.keys()] };
};

describe("tasks without a position, each with its time", () => {
  test("are in the order of their times, and each has a place of its own", () => {
    const list = timed(500);
    expect(ids(list.toReversed().toSorted(comparePlaces))).toEqual(ids(list));
    const places = list.map(placeOf);
    expect(places.toSorted()).toEqual(places);
    expect(new Set(places).size).toBe(list.length);
  });

  test("stay as they are wherever a card is dropped among them: only that is written", () => {
    const index = fc.nat(29);
    const drags = fc.array(fc.tuple(index, fc.nat(30)), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(drags, (all) => {
        let list = timed(30);
        for (const [from, at] of all) {
          const moved = [list[from]?.id ?? ""];
          const { sorted, written } = move(list, moved, at);
          expect(written).toEqual(moved);
          expect(ids(sorted)).toEqual(expected(list, moved, at));
          list = sorted;
        }
        const longest = Math.max(...list.map(({ position }) => position?.length ?? 0));
        expect(longest).toBeLessThan(255);
      }),
      cases(100),
    );
  });

  test("a new task comes above what was dragged to the top", () => {
    const list = move(timed(5), ["task 00003"], 0).sorted;
    const added = ["one", "two"];
    const places = topPlaces(list, added);
    const all = [...list, ...added.map((id) => ({ id, position: places.get(id) ?? null }))];
    expect(ids(all.toSorted(comparePlaces)).slice(0, 3)).toEqual(["one", "two", "task 00003"]);
    expect(topPlaces(timed(5), added).size).toBe(0);
  });
});
