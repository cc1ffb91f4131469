import { basename } from "node:path";
import { printableJson } from "../../domain/base/text.ts";
import { notFound, Refusal } from "../../domain/base/refusal.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { findImport, listImports } from "../../db/imports/journal.ts";
import { type Preview, previewImport, runImport, type ToImport } from "../../db/imports/run.ts";
import { undoImport } from "../../db/imports/undo.ts";
import type { Store } from "../../db/store.ts";
import type { Import } from "../../import/model.ts";
import { nameOfFormat, readImport, WHY_UNREADABLE } from "../../import/read.ts";
import { inFolder, type LinksAs } from "../../import/shape.ts";
import { type Command, type Run, theAccount, withStore } from "../command.ts";
import { plain, printList, time } from "../terminal.ts";

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
    const read = await Promise.all(run.words.map((path) => readFile(run, path)));
    return withStore(run, async (store) => {
      const account = await theAccount(run, store);
      const reports = [];
      for (const file of read) {
        const preview = await previewImport(store, account.id, file.plan);
        if (!run.has("json")) showPreview(run, file, preview);
        const isNothing = preview.tasks + preview.tabs === 0;
        const id =
          run.has("dry-run") || isNothing
            ? null
            : await importFile(run, store, account.id, file.plan);
        reports.push({
          file: file.plan.name,
          format: file.plan.format,
          id,
          ...withoutBytes(preview),
          skipped: file.read.skipped,
        });
      }
      if (run.has("json")) run.print(printableJson(reports));
      return 0;
    });
  },
};

type Read = { readonly read: Import; readonly plan: ToImport };

const readFile = async (run: Run, path: string): Promise<Read> => {
  const name = basename(path);
  const bytes = await Bun.file(path)
    .bytes()
    .catch(() => {
      throw new Refusal("not_found", `${path} cannot be read. Check that the file is there.`);
    });
  const shape = { links: linksOf(run), isAll: run.has("all") };
  const read = readImport(name, bytes, shape);
  if ("error" in read) throw new Refusal("invalid", `${path}: ${WHY_UNREADABLE[read.error]}`);
  const into = run.flag("into");
  const tasks = into === undefined ? read.tasks : inFolder(read.tasks, into);
  const digest = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([name, into ?? null, shape]))
    .update(bytes)
    .digest("hex");
  return {
    read,
    plan: { name, format: read.format, digest, skipped: read.skipped.length, tasks },
  };
};

const linksOf = (run: Run): LinksAs | null => {
  const links = run.flag("links");
  if (links === undefined || links === "tabs" || links === "tasks") return links ?? null;
  throw new UsageError("--links must be tabs or tasks.");
};

const importFile = async (
  run: Run,
  store: Store,
  accountId: number,
  plan: ToImport,
): Promise<number> => {
  const count = plan.tasks.length;
  let said = run.now();
  const id = await runImport(store, accountId, plan, run.now, (done) => {
    if (run.now() - said < SAID_EVERY || done === count) return;
    said = run.now();
    run.say(`${done} of ${count} tasks are imported.`);
  });
  if (!run.has("json")) run.print(`Imported. To take it back: docket import undo ${id}`);
  return id;
};

/** ms between two lines on how far an import is. */
const SAID_EVERY = 2_000;

const withoutBytes = ({ folders, tasks, tabs, notes, known }: Preview) => ({
  folders,
  tasks,
  tabs,
  notes,
  already_here: known,
});

/** How many tasks and left out things are shown. */
const SHOWN = 5;
const LEFT_OUT_SHOWN = 20;

const showPreview = (run: Run, { read, plan }: Read, preview: Preview): void => {
  const { folders, tasks, tabs, notes, known } = preview;
  run.print(`${plain(plan.name)}: ${nameOfFormat(read.format)}`);
  if (known > 0) run.print(`  Already here: ${counted(known, "task")}`);
  if (tasks + tabs === 0) return run.print("  There is nothing new in it.");
  run.print(
    `  New: ${[counted(tasks, "task"), counted(tabs, "tab"), counted(notes, "note"), counted(folders, "folder")].join(", ")}`,
  );
  for (const { folder, title, tabs: own } of plan.tasks.slice(0, SHOWN))
    run.print(`  ${plain(folder)} > ${plain(title)} (${counted(own.length, "tab")})`);
  if (plan.tasks.length > SHOWN) run.print(`  and ${plan.tasks.length - SHOWN} more`);
  if (read.skipped.length === 0) return;
  run.print(`  Left out: ${read.skipped.length}`);
  for (const { what, reason } of read.skipped.slice(0, LEFT_OUT_SHOWN))
    run.print(`    ${reason.replaceAll("_", " ")}: ${plain(what)}`);
  if (read.skipped.length > LEFT_OUT_SHOWN)
    run.print(`    and ${read.skipped.length - LEFT_OUT_SHOWN} more (--json lists all)`);
};

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

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
