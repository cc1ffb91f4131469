import { AGENT_WORDS } from "../../../src/mcp/server.ts";
import { expect, test } from "bun:test";
import { inWords, type Message, say, WIRE_WORDS } from "../../../src/domain/base/message.ts";

const KEY = { header: "Idempotency-Key" } as const;

test.each<[string, Message, string, string]>([
  ["plain text", "name is missing.", "name is missing.", "name is missing."],
  [
    "a parameter",
    say`${{ parameter: "limit" }} must be a whole number from 1 to ${50}.`,
    "Query parameter limit must be a whole number from 1 to 50.",
    "limit must be a whole number from 1 to 50.",
  ],
  [
    "a call",
    say`send an id of ${{ call: "listFolders" }}.`,
    "send an id of GET /projects.",
    "send an id of list_folders.",
  ],
  [
    "a header field",
    say`The first request with this ${KEY} is still being done.`,
    "The first request with this Idempotency-Key is still being done.",
    "The first request with this idempotency_key is still being done.",
  ],
  [
    "phrases",
    say`This ${KEY} was already used with ${{ phrase: "a different body" }}. Send ${{ phrase: "the same body" }} again.`,
    "This Idempotency-Key was already used with a different body. Send the same body again.",
    "This idempotency_key was already used with different arguments. Send the same arguments again.",
  ],
  [
    "a phrase at the beginning",
    say`${{ phrase: "The body contains" }} a NUL character.`,
    "The body contains a NUL character.",
    "The arguments contain a NUL character.",
  ],
])("%s in a message is put in each way's own words", (_name, message, onTheWire, toAgents) => {
  expect(inWords(message, WIRE_WORDS)).toBe(onTheWire);
  expect(inWords(message, AGENT_WORDS)).toBe(toAgents);
});

test("what a caller sent is never taken for a term", () => {
  const sent = "GET /projects, Query parameter x";
  expect(inWords(say`${sent} is unknown.`, AGENT_WORDS)).toBe(
    "GET /projects, Query parameter x is unknown.",
  );
});
