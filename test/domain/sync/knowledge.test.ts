import { expect, test } from "bun:test";
import { type Ack, NO_ACK } from "../../../src/domain/sync/ack.ts";
import { knowledgeOf } from "../../../src/domain/sync/knowledge.ts";

const ACK: Ack = { since: 20, issued: [{ time: 20, at: 20 }] };

/** What an edit at 30 can have known of what was filed, removed and changed at `stamp`. */
const sees = (ack: Ack, stamp: number, { updated = stamp, edited = 30 } = {}) => {
  const knowledge = knowledgeOf(ack, edited);
  const filed = { list: "pages", id: "a", key: "bot", createdAt: "", at: 0, stamp } as const;
  const drop = { list: "pages", ids: ["a"], value: "x", stamp } as const;
  return {
    child: knowledge.child(filed),
    drop: knowledge.drop(drop),
    field: knowledge.field({ field: "title", before: "a", stamp, updated }),
    again: knowledge.mayBeNew(drop),
  };
};

test("What was delivered before the edit, according to the ack, is known", () => {
  expect(sees(ACK, 15)).toEqual({ child: true, drop: true, field: true, again: false });
  expect(sees(ACK, 25)).toEqual({ child: false, drop: false, field: false, again: false });
  expect(sees(ACK, 15, { edited: 20 })).toMatchObject({ child: false, drop: false, field: false });
});

test("Without an ack no filed tab counts as known, so that none is lost", () => {
  expect(sees(NO_ACK, 1)).toMatchObject({ child: false, drop: false });
});

test("Without an ack a field's change is unknown only if its own stamp is after the edit's", () => {
  expect(sees(NO_ACK, 99, { updated: 30 })).toMatchObject({ field: true });
  expect(sees(NO_ACK, 1, { updated: 31 })).toMatchObject({ field: false });
});

test("Without an ack, a tab removed before the edit may have been saved again", () => {
  expect([sees(NO_ACK, 29).again, sees(NO_ACK, 30).again]).toEqual([true, false]);
});

test("Children that a device added itself are known to every device", () => {
  const moved = { list: "pages", id: "a", key: "bot", createdAt: "", at: 0 } as const;
  expect(knowledgeOf(NO_ACK, 0).child(moved)).toBe(true);
});
