import { expect, test } from "bun:test";
import { type Ack, NO_ACK } from "../../../src/domain/sync/ack.ts";
import { knowledgeOf } from "../../../src/domain/sync/knowledge.ts";

const ACK: Ack = { since: 20, issued: [{ time: 20, at: 20 }] };

/** What an edit at 30 can have known of what was filed, taken away and changed at `stamp`. */
const sees = (ack: Ack, stamp: number, { updated = stamp, edited = 30 } = {}) => {
  const knowledge = knowledgeOf(ack, edited);
  const filed = { list: "pages", id: "a", key: "bot", createdAt: "", at: 0, stamp } as const;
  const drop = { list: "pages", ids: ["a"], value: "x", stamp } as const;
  return {
    child: knowledge.child(filed),
    drop: knowledge.drop(drop),
    field: knowledge.field({ field: "title", before: "a", stamp, updated }),
    again: knowledge.again(drop),
  };
};

test("what was delivered by the ack before the edit is known", () => {
  expect(sees(ACK, 15)).toEqual({ child: true, drop: true, field: true, again: false });
  expect(sees(ACK, 25)).toEqual({ child: false, drop: false, field: false, again: false });
  expect(sees(ACK, 15, { edited: 20 })).toMatchObject({ child: false, drop: false, field: false });
});

test("without an ack no filed tab counts as known, so that none is lost", () => {
  expect(sees(NO_ACK, 1)).toMatchObject({ child: false, drop: false });
});

test("without an ack a field's change is unknown only where it came after the edit by their own stamps", () => {
  expect(sees(NO_ACK, 99, { updated: 30 })).toMatchObject({ field: true });
  expect(sees(NO_ACK, 1, { updated: 31 })).toMatchObject({ field: false });
});

test("without an ack, what was taken away before the edit may have been saved anew", () => {
  expect([sees(NO_ACK, 29).again, sees(NO_ACK, 30).again]).toEqual([true, false]);
});

test("what a device put there itself is known to every device", () => {
  const moved = { list: "pages", id: "a", key: "bot", createdAt: "", at: 0 } as const;
  expect(knowledgeOf(NO_ACK, 0).child(moved)).toBe(true);
});
