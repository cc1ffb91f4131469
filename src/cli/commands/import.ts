import { basename } from "node:path";
import { printableJson } from "../../domain/base/text.ts";
import { notFound, Refusal } from "../../domain/base/refusal.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { findImport, listImports } from "../../db/imports/journal.ts";
import type { Preview } from "../../db/imports/batches.ts";
import { previewFile, runFile } from "../../db/imports/file.ts";
import { undoImport } from "../../db/imports/undo.ts";
import type { Store } from "../../db/store.ts";
import { type FileRead, readFile, samplesOf } from "../../import/file.ts";
import { nameOfFormat } from "../../import/formats/names.ts";
import { WHY_UNREADABLE } from "../../import/model.ts";
import { type LinksAs, readLinksAs } from "../../import/shape.ts";
import { type Command, type Run, theAccount, withStore } from "../command.ts";
import { counted, plain, printList, time } from "../terminal.ts";

/** Imports files of other tools, or says what would come of them. */
const importCommand: Command = {
  name: "import",
  usage:
    "FILE... [--dry-run] [--into FOLDER] [--links tabs|tasks] [--all] [--account EMAIL] [--json]",
  about:
    "import bookmarks, saved tabs or tasks from files of other tools. Nothing is overwritten, and a file that is imported twice makes nothing twice",
  flags: { account: true, into: true, links: true, all: false, "dry-run": false, json: false },
  words: [1, 100],
  run: async (run) => {
    const files = await Promise.all(run.words.map((path) => readFrom(run, path)));
    return withStore(run, async (store) => {
      const { id: accountId } = await theAccount(run, store);
      const reports = [];
      for (const file of files) {
        const { bytes: _, ...preview } = await previewFile(store, accountId, file);
        if (!run.has("json")) showPreview(run, file, preview);
        const isNothing = preview.folders + preview.tasks + preview.tabs === 0;
        const isDry = run.has("dry-run") || isNothing;
        const id = isDry ? null : await importFile(run, store, accountId, file);
        const { name, format, leftOut: skipped } = file;
        reports.push({ file: name, format, id, ...preview, skipped });
      }
      if (run.has("json")) run.print(printableJson(reports));
      return 0;
    });
  },
};

const readFrom = async (run: Run, path: string): Promise<FileRead> => {
  const file = Bun.file(path);
  if (file.size > MOST_BYTES)
    throw new Refusal("too_large", `${path} is larger than 1 GiB. Split it, and import each part.`);
  const bytes = await file.bytes().catch(() => {
    throw new Refusal("not_found", `${path} cannot be read. Check that the file is there.`);
  });
  const wish = { links: linksAsked(run), isAll: run.has("all"), into: run.flag("into") ?? null };
  const read = await readFile(basename(path), bytes, wish);
  if ("error" in read) throw new Refusal("invalid", `${path}: ${WHY_UNREADABLE[read.error]}`);
  return read;
};

/** What a file may have at most, in bytes. */
const MOST_BYTES = 1024 * 1024 * 1024;

const linksAsked = (run: Run): LinksAs | null => {
  const flag = run.flag("links");
  const links = readLinksAs(flag);
  if (flag !== undefined && links === null) throw new UsageError("--links must be tabs or tasks.");
  return links;
};

const importFile = async (
  run: Run,
  store: Store,
  accountId: number,
  file: FileRead,
): Promise<number> => {
  let said = run.now();
  const { length } = file.items;
  const onProgress = (done: number): void => {
    if (run.now() - said < SAID_EVERY || done === length) return;
    said = run.now();
    run.say(`${done} of ${length} are imported.`);
  };
  const id = await runFile(store, accountId, { ...file, upload: null }, run.now, { onProgress });
  if (!run.has("json")) run.print(`Imported. To take it back: docket import undo ${id}`);
  return id;
};

/** ms between two lines on how far an import is. */
const SAID_EVERY = 2_000;

/** How many tasks and left out things are shown. */
const SHOWN = 5;
const LEFT_OUT_SHOWN = 20;

const showPreview = (run: Run, file: FileRead, made: Omit<Preview, "bytes">): void => {
  const { name, format, leftOut: skipped } = file;
  const samples = samplesOf(file, SHOWN);
  const { folders, tasks, tabs, notes, known } = made;
  run.print(`${plain(name)}: ${nameOfFormat(format)}`);
  if (known > 0) run.print(`  Already here: ${known}`);
  if (folders + tasks + tabs === 0) return run.print("  There is nothing new in it.");
  const parts = [counted(tasks, "task"), counted(tabs, "tab"), counted(notes, "note")];
  run.print(`  New: ${[...parts, counted(folders, "folder")].join(", ")}`);
  for (const { folder, title, tabs: held } of samples)
    run.print(`  ${plain([folder, title].filter(Boolean).join(" > "))} (${counted(held, "tab")})`);
  if (tasks > samples.length) run.print(`  and ${tasks - samples.length} more`);
  if (skipped.length === 0) return;
  run.print(`  Left out: ${skipped.length}`);
  for (const { what, reason } of skipped.slice(0, LEFT_OUT_SHOWN))
    run.print(`    ${reason}: ${plain(what)}`);
  if (skipped.length > LEFT_OUT_SHOWN)
    run.print(`    and ${skipped.length - LEFT_OUT_SHOWN} more (--json lists all)`);
};

/** Lists an account's imports. */
const listCommand: Command = {
  name: "import list",
  usage: "[--account EMAIL] [--json]",
  about: "list what was imported, the last first",
  flags: { account: true, json: false },
  words: [0, 0],
  run: async (run) =>
    withStore(run, async (store) => {
      const { id } = await theAccount(run, store);
      const rows = (await listImports(store.reader, id)).map((one) => ({
        id: one.id,
        file: one.name,
        from: one.format,
        at: time(one.startedAt),
        tasks: one.tasks,
        tabs: one.tabs,
        notes: one.notes,
        already_here: one.known,
        left_out: one.skipped,
        state:
          one.undoneAt !== null
            ? "taken back"
            : one.finishedAt === null
              ? `stopped after ${one.done} tasks`
              : "finished",
      }));
      printList(run, rows, "Nothing has been imported.");
      return 0;
    }),
};

/** Takes an import back. */
const undoCommand: Command = {
  name: "import undo",
  usage: "ID [--account EMAIL] [--json]",
  about: "take an import back, except what was changed since",
  flags: { account: true, json: false },
  words: [1, 1],
  run: async (run) =>
    withStore(run, async (store) => {
      const { id: accountId } = await theAccount(run, store);
      const id = Number(run.words[0]);
      const found = Number.isSafeInteger(id) && (await findImport(store.reader, accountId, id));
      if (!found) throw notFound("import");
      const undone = await undoImport(store, accountId, id, run.now);
      if (run.has("json")) run.print(printableJson(undone));
      else {
        const { tasks, folders, shortened, kept } = undone;
        const parts = [counted(tasks, "task"), counted(folders, "folder")];
        run.print(
          `Deleted: ${parts.join(", ")}.${shortened === 0 ? "" : ` Tabs were taken out of ${counted(shortened, "task")}.`}`,
        );
        for (const title of kept) run.say(`Changed since, and kept: ${plain(title)}`);
      }
      return 0;
    }),
};

/** The longer names come first: the words after `import` are files. */
export const IMPORT_COMMANDS: readonly Command[] = [listCommand, undoCommand, importCommand];
