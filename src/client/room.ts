import { MAX_PAYLOAD, type Payload, serialise } from "../domain/base/payload.ts";

/** In bytes. It stays free, so that a full task can still be renamed, moved and closed. */
const SPARE = 16 * 1024;

/** In bytes. What a new tab or note gets beside what it says: its id, and when it was added. */
export const PER_CHILD = 160;

/**
 * Whether the server takes a payload with some more tabs or notes, and a few small edits after that. It refuses one of
 * more than 1 MiB, and then all that is added to it stays in this browser.
 */
export const hasRoom = (payload: Payload, added: readonly unknown[] = []): boolean =>
  sizeOf(payload) + bytesIn(JSON.stringify(added)) + added.length * PER_CHILD <=
  MAX_PAYLOAD - SPARE;

/** Whether a payload is more than the server takes. */
export const isTooLarge = (payload: Payload): boolean => sizeOf(payload) > MAX_PAYLOAD;

/** A view keeps its payload until its record changes, and is asked again after each change of any other. */
const sizes = new WeakMap<Payload, number>();

const sizeOf = (payload: Payload): number => {
  const size = sizes.get(payload) ?? bytesIn(serialise(payload));
  sizes.set(payload, size);
  return size;
};

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;
