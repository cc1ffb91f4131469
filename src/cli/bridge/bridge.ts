import { SECOND } from "../../domain/base/instant.ts";
import type { Send } from "./send.ts";
import { fields, type Id, linesOf, readMessage } from "./message.ts";

export type Ends = {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes a line. Resolves when there is room for more. Never rejects. */
  readonly write: (line: string) => Promise<void>;
  /** Writes a line for people. */
  readonly say: (line: string) => void;
  readonly send: Send;
};

/** In bytes. The server takes 1 MiB and refuses slightly longer messages itself. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** The most messages in progress at a time. At this number, no further line is read. */
const MOST_AT_ONCE = 64;

/** How long to wait for outstanding replies after the input ends. */
const DRAIN = 10 * SECOND;

/**
 * Reads one message per line, sends each to the server as soon as it arrives, and writes the replies. Returns
 * when the input has ended and every request is answered.
 */
export const bridge = async (ends: Ends): Promise<void> => {
  const underWay = new Set<Promise<void>>();
  const asked = new Map<Id, AbortController>();
  for await (const line of linesOf(ends.input, LONGEST_LINE)) {
    if (line?.every(isBlank)) continue;
    if (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay);
    const work = handOver(line, asked, ends).finally(() => underWay.delete(work));
    underWay.add(work);
  }
  await Promise.race([Promise.all(underWay), Bun.sleep(DRAIN)]);
};

const isBlank = (byte: number): boolean => byte <= 32;

const handOver = async (
  line: Uint8Array | null,
  asked: Map<Id, AbortController>,
  { write, say, send }: Ends,
): Promise<void> => {
  const message = readMessage(line);
  if ("error" in message) return write(JSON.stringify(message));
  const { id, method, params } = message;
  // On standard input a client cancels a request with a message; over HTTP it closes the connection.
  if (method === "notifications/cancelled") return asked.get(params["requestId"] as Id)?.abort();
  const stop = new AbortController();
  if (id !== undefined) asked.set(id, stop);
  const replies = await send(message, stop.signal);
  if (id !== undefined && asked.get(id) === stop) asked.delete(id);
  for (const reply of replies)
    // A notification gets no reply, so its failure is reported to people.
    if (id === undefined) say(`docket: ${fields(fields(reply)["error"])["message"]}`);
    else await write(JSON.stringify(reply));
};
