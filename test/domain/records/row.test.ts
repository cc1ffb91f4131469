import { expect, test } from "bun:test";
import { payloadOf, type RecordRow } from "../../../src/domain/records/row.ts";

const rowOf = (payload: object): RecordRow =>
  ({ payload: JSON.stringify(payload) }) as unknown as RecordRow;

const tags = (count: number) => ({
  tags: Array.from({ length: count }, (_, at) => at.toString(36).padStart(12, "q")),
});

test.each([
  ["a short one is parsed once", { title: "t" }, true],
  ["a long one is parsed once", { title: "t".repeat(100_000) }, true],
  ["of those with many short texts, only the latest is kept", tags(4_000), false],
])("Of the payloads of stored rows, %s", (_name, payload, isKept) => {
  const [one, other] = [rowOf(payload), rowOf(payload)];
  const first = payloadOf(one);
  expect(first).toEqual(payload as never);
  expect(payloadOf(one)).toBe(first);
  expect(payloadOf(other)).toEqual(payload as never);
  const again = payloadOf(one);
  expect([again === first, again]).toEqual([isKept, payload as never]);
});
