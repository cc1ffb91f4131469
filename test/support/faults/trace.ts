import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DOCKET } from "../docket.ts";
import { run, type Running, serve } from "../program.ts";

/**
 * What a traced program did to its data directory, in order, and the replies it sent meanwhile. Names are relative to
 * the directory, which is "" itself.
 */
export type Step =
  | {
      readonly do: "write";
      readonly file: string;
      readonly at: number;
      readonly bytes: Uint8Array;
    }
  | { readonly do: "truncate"; readonly file: string; readonly size: number }
  /** `size` bytes of the start of `from`, as it is then. */
  | { readonly do: "copy"; readonly file: string; readonly from: string; readonly size: number }
  /** `open` creates the file if it does not exist; `make` creates a directory. */
  | { readonly do: "open" | "make" | "remove" | "sync"; readonly file: string }
  | { readonly do: "rename"; readonly file: string; readonly to: string }
  /** The names in the directory `file`. */
  | { readonly do: "sync names"; readonly file: string }
  /** The server began to send the reply to the request with this id. */
  | { readonly do: "reply"; readonly request: string };

/** Every call that can change a file or send a reply. `?` marks a name that not every processor has. */
const CALLS = [
  "?open,openat,?creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate",
  "copy_file_range,sendfile,splice,fsync,fdatasync,sync_file_range,?unlink,unlinkat",
  "?rename,?renameat,renameat2,?link,linkat,?mkdir,mkdirat,mmap,sendto,sendmsg",
].join(",");

/** `-D` makes the program the child and strace the grandchild, so that signals reach the program itself. */
const STRACE = ["strace", "-D", "-f", "-y", "-xx", "-s", "9000000", "--seccomp-bpf"];

const tracedInto = (file: string): readonly string[] => [
  ...STRACE,
  "-e",
  `trace=${CALLS}`,
  "-o",
  file,
  ...DOCKET,
];

type Traced = Running & {
  /** The server's steps. Resolves once it has ended. */
  readonly steps: () => Promise<readonly Step[]>;
};

/** Starts the server under strace, which records in `file` what it does. */
export const serveTraced = async (
  directory: string,
  file: string,
  words: readonly string[] = [],
): Promise<Traced> => {
  const running = await serve(tracedInto(file), ["--data", directory, "--log", "off", ...words]);
  return { ...running, steps: () => readSteps(file, directory, String(running.pid)) };
};

/** Runs a command under strace to its end, and returns what it did. Throws if it fails. */
export const runTraced = async (
  directory: string,
  file: string,
  words: readonly string[],
): Promise<readonly Step[]> => {
  const { code, err } = await run(tracedInto(file), [...words, "--data", directory]);
  if (code !== 0) throw new Error(`docket ${words.join(" ")}: ${err}`);
  // The first line is the program's own: it has no threads yet.
  return readSteps(file, directory, /^\d+/.exec(readFileSync(file, "latin1"))?.[0] ?? "");
};

/** Waits until strace has written down the end of the program. */
const readSteps = async (
  file: string,
  directory: string,
  pid: string,
): Promise<readonly Step[]> => {
  const last = new RegExp(`^${pid} +\\+\\+\\+ .* \\+\\+\\+$`, "m");
  let text = "";
  while (!last.test((text = readFileSync(file, "latin1")))) await Bun.sleep(10);
  return stepsIn(text, directory);
};

const stepsIn = (text: string, directory: string): readonly Step[] => {
  const begun = new Map<string, string>();
  return text.split("\n").flatMap((line) => {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    // From here on the caller may have the reply, even if a kill comes before the call ends.
    if (rest.startsWith("sendto(")) return repliesIn(rest);
    const call = wholeCall(begun, thread, rest);
    const [, name = "", words = "", result = ""] = /^(\w+)\((.*)\) += (-?\d+|\?)/.exec(call) ?? [];
    return name === "" || result.startsWith("-") ? [] : stepsOf(name, words, result, directory);
  });
};

/** Joins a call that strace shows in two parts. It counts when it ends, or when the process does. */
const wholeCall = (begun: Map<string, string>, thread: string, rest: string): string => {
  const before = begun.get(thread) ?? "";
  begun.delete(thread);
  if (rest.endsWith(UNFINISHED)) begun.set(thread, rest.slice(0, -UNFINISHED.length));
  if (rest.startsWith("+++")) return `${before}) = ?`;
  const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
  return resumed === undefined ? rest : before + resumed;
};

const UNFINISHED = " <unfinished ...>";

const stepsOf = (
  name: string,
  words: string,
  result: string,
  directory: string,
): readonly Step[] => {
  const args = words.split(", ");
  const file = fileOf(name, args, directory);
  if (file === null || IGNORED.test(file)) return [];
  const at = Number(args.at(-1));
  switch (name) {
    case "open":
    case "openat":
      // A file that must be new has nothing to be cut off.
      return words.includes("O_CREAT") && (words.includes("O_EXCL") || !words.includes("O_TRUNC"))
        ? [{ do: "open", file }]
        : readOnly(words);
    case "pwrite64":
      return written(directory, { file, at, bytes: bytesOf(args[1]) }, result);
    case "ftruncate":
      return [{ do: "truncate", file, size: at }];
    case "fsync":
    case "fdatasync":
      if (result === "?") return [];
      return [{ do: DIRECTORIES.includes(file) ? "sync names" : "sync", file }];
    case "unlink":
      return [{ do: "remove", file }];
    case "mkdir":
      return [{ do: "make", file }];
    case "rename":
      return [{ do: "rename", file, to: relative(directory, bytesOf(args[1]).toString()) }];
    case "copy_file_range":
      return [copied(args, Number(result), directory)];
    default:
      throw new Error(`This test does not know what ${name} does to ${file}.`);
  }
};

/** From start to start, as whole files are copied. */
const copied = (args: readonly string[], size: number, directory: string): Step => {
  const [from, to] = [fileOf("", args, directory), fileOf("", args.slice(2), directory)];
  if (from === null || to === null || args[1] !== "[0]" || args[3] !== "[0]")
    throw new Error(`This test does not know how a file was copied: ${args.join(", ")}`);
  return { do: "copy", file: to, from, size };
};

type Write = Omit<Extract<Step, { do: "write" }>, "do">;

/** If a kill interrupted a write, the file itself shows whether it was done. */
const written = (directory: string, write: Write, result: string): readonly Step[] => {
  const { file, at, bytes } = write;
  if (result !== "?") return [{ do: "write", file, at, bytes: bytes.subarray(0, Number(result)) }];
  const there = readFileSync(join(directory, file)).subarray(at, at + bytes.length);
  return there.equals(bytes) ? [{ do: "write", ...write }] : [];
};

const readOnly = (words: string): readonly Step[] => {
  if (words.includes("O_RDONLY")) return [];
  throw new Error(`This test does not know how a file was opened: ${words}`);
};

/** What nothing depends on after a power cut: the process ID, the shared memory, and the note of a clean stop. */
const IGNORED = /\.pid$|-shm$|^docket\.stopped$/;

/** The data directory, and what is in it. */
const DIRECTORIES = ["", "backups"];

const repliesIn = (call: string): readonly Step[] => {
  const text = bytesOf(/"(.*)"/.exec(call)?.[1]).toString("latin1");
  const found = text.matchAll(/^x-request-id: (\S+)/gim);
  return Array.from(found, ([, request = ""]) => ({ do: "reply", request }));
};

/** The name of the file that a call is about; "" for the directory itself, null for a file elsewhere. */
const fileOf = (name: string, args: readonly string[], directory: string): string | null => {
  // By its path, or by a descriptor, after which strace writes the path.
  const mark = BY_PATH.test(name) ? /^"(.*)"$/ : /^\d+<(.*)>$/;
  const path = args.flatMap((arg) => mark.exec(arg)?.[1] ?? [])[0];
  const file = path === undefined ? ".." : relative(directory, bytesOf(path).toString());
  return file.startsWith("..") ? null : file;
};

const BY_PATH = /^(open|creat|truncate|unlink|rename|link|mkdir)/;

/** With `-xx`, strace writes every byte as `\x00`. */
const bytesOf = (text = ""): Buffer => Buffer.from(text.replaceAll(/\\x|"/g, ""), "hex");
