import { readFileSync } from "node:fs";
import { type FileRead, type FileHead, readFile, type Wish } from "../../import/file.ts";
import type { Unreadable } from "../../import/read.ts";

// Reads an uploaded file on a thread of its own, so that others are answered meanwhile.

/** What to read. `"next"` asks for more of it. */
export type ToReader =
  "next" | { readonly path: string; readonly name: string; readonly wish: Wish };

/** The items of a file, piece by piece, then what else it is. */
export type FromReader =
  | { readonly items: FileRead["items"] }
  | { readonly head: FileHead & Pick<FileRead, "kind"> }
  | Unreadable;

/** How many items are handed over at once, and how many tabs at most unless one item alone has more. */
const ITEMS = 500;
const TABS = 2_000;

declare const self: Worker;

let pieces: Iterator<FromReader> | null = null;

self.addEventListener("message", ({ data }: MessageEvent<ToReader>): void => {
  if (data !== "next") pieces = piecesOf(data);
  const next = pieces?.next();
  if (next && next.done !== true) self.postMessage(next.value, []);
});

function* piecesOf({ path, name, wish }: Exclude<ToReader, "next">): Generator<FromReader> {
  const read = readFile(name, readFileSync(path), wish);
  if ("error" in read) return yield read;
  const { items, ...head } = read;
  for (let from = 0; from < items.length;) {
    const piece = items.slice(from, from + ITEMS);
    let tabs = 0;
    const end = piece.findIndex((item) => (tabs += "tabs" in item ? item.tabs.length : 10) > TABS);
    const length = end < 0 ? piece.length : Math.max(1, end);
    // Both kinds are lists: which one, the head says.
    yield { items: piece.slice(0, length) as unknown as FileRead["items"] };
    from += length;
  }
  yield { head };
}
