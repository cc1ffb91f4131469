import { readFileSync, writeFileSync } from "node:fs";
import { type FileRead, readFile } from "../../import/file.ts";
import type { Unreadable } from "../../import/model.ts";
import type { FromReader, ToReader } from "./reader.ts";

/** How many items are handed over at once, and how many tabs at most unless one item alone has more. */
const ITEMS = 500;
const TABS = 2_000;

/** Reads what the server asks for, and ends with it. */
export const readForServer = (): void => {
  dieFirst();
  let pieces: Iterator<FromReader> | null = null;
  const answer = async (asked: ToReader): Promise<void> => {
    if (asked !== "next")
      pieces = piecesOf(await readFile(asked.name, readFileSync(asked.path), asked.wish));
    const next = pieces?.next();
    if (next && next.done !== true) process.send?.(next.value);
  };
  process.on("disconnect", () => process.exit());
  process.on("message", (asked: ToReader) => void answer(asked));
};

/** If there is no memory for what is in the file, Linux ends this process, not the server. */
const dieFirst = (): void => {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Other systems choose for themselves.
  }
};

/** Links and tasks that the server takes into its memory at once. */
const MOST = 1_000_000;

const sizeOf = (item: FileRead["items"][number]): number =>
  1 + ("tabs" in item ? item.tabs.length : 10);

function* piecesOf(read: FileRead | Unreadable): Generator<FromReader> {
  if ("error" in read) return yield read;
  const { items, ...head } = read;
  if (items.reduce((sum, item) => sum + sizeOf(item), 0) > MOST) return yield { error: "too_much" };
  for (let from = 0; from < items.length;) {
    const piece = items.slice(from, from + ITEMS);
    let tabs = 0;
    const end = piece.findIndex((item) => (tabs += sizeOf(item)) > TABS);
    const length = end < 0 ? piece.length : Math.max(1, end);
    // Both kinds are lists: which one, the head says.
    yield { items: piece.slice(0, length) as unknown as FileRead["items"] };
    from += length;
  }
  yield { head };
}
