import { expect, test } from "bun:test";
import { payloadOf, type RecordRow } from "../../../src/domain/records/row.ts";

const rowOf = (payload: object): RecordRow =>
  ({ payload: JSON.stringify(payload) }) as unknown as RecordRow;

test("The payload of a stored row is parsed once", () => {
  const payload = { title: "t".repeat(100_000) };
  const [one, other] = [rowOf(payload), rowOf(payload)];
  const first = payloadOf(one);
  expect(first).toEqual(payload as never);
  expect(payloadOf(other)).toEqual(payload as never);
  expect(payloadOf(one)).toBe(first);
});
