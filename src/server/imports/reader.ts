import { PROGRAM } from "../program.ts";
import { MINUTE } from "../../domain/base/instant.ts";
import { type FileHead, type FileRead, readFile, type Wish } from "../../import/file.ts";
import type { Unreadable } from "../../import/model.ts";

/** The word after the program's name that makes it read a file for a server. */
export const READER = "read-for-server";

/** What to read. `"next"` asks for more of it. */
export type ToReader =
  "next" | { readonly path: string; readonly name: string; readonly wish: Wish };

/** The items of a file, piece by piece, then what else it is. */
export type FromReader =
  | { readonly items: FileRead["items"] }
  | { readonly head: FileHead & Pick<FileRead, "kind"> }
  | Unreadable;

/** A file that takes longer was made to. */
const PATIENCE = 5 * MINUTE;

/** In bytes. A shorter file is read at once: a process takes longer to start. */
const SHORT = 64 * 1024;

/** Reads a file, a long one in a process of its own. */
export const readUpload = async (
  path: string,
  name: string,
  wish: Wish,
  signal: AbortSignal,
): Promise<FileRead | Unreadable> => {
  const file = Bun.file(path);
  if (file.size > SHORT) return readApart(path, name, wish, signal);
  return readFile(name, await file.bytes(), wish);
};

/**
 * Reads a file in a process of its own, until `signal`: whatever is in the file, others are answered meanwhile, and it takes
 * no memory of the server's but for the result. What that process cannot do counts as a damaged file.
 */
const readApart = async (
  path: string,
  name: string,
  wish: Wish,
  signal: AbortSignal,
): Promise<FileRead | Unreadable> => {
  const { promise, resolve } = Promise.withResolvers<FileRead | Unreadable>();
  const broken = (): void => resolve({ error: "broken" });
  const items: unknown[] = [];
  const take = (piece: FromReader): void => {
    if ("error" in piece) return resolve(piece);
    if ("head" in piece) return resolve({ ...piece.head, items } as unknown as FileRead);
    for (const item of piece.items) items.push(item);
    // Others go on between two pieces.
    setImmediate(() => say("next"));
  };
  const child = Bun.spawn([...PROGRAM, READER], {
    env: {},
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    ipc: take,
    onExit: broken,
  });
  const say = (message: ToReader): void => child.send(message);
  const timer = setTimeout(broken, PATIENCE);
  signal.addEventListener("abort", broken);
  try {
    say({ path, name, wish });
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", broken);
    child.kill("SIGKILL");
  }
};
