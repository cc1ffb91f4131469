import { formatInstant } from "../../domain/base/instant.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { exportJson, exportTasks, type Part } from "../../db/records/export.ts";
import { findFolder } from "../../db/records/folders.ts";
import { readTaskView } from "../../db/records/lookup.ts";
import type { Store } from "../../db/store.ts";
import type { Account } from "../../domain/people/account.ts";
import { EXPORT_FORMATS, writeSafeCsv } from "../../export/formats.ts";
import { type Command, type Run, theAccount, withStore } from "../command.ts";

/** Writes an account, a folder or a task to standard output. */
export const exportCommand: Command = {
  name: "export",
  usage:
    "[--format json|html|csv|markdown|onetab|todotxt] [--folder FOLDER | --task ID] [--deleted] [--history] [--for-spreadsheets] [--account EMAIL]",
  about:
    "write everything to standard output: as Docket's own JSON, which comes back complete with `docket import`, or for another tool",
  flags: {
    account: true,
    format: true,
    folder: true,
    task: true,
    deleted: false,
    history: false,
    "for-spreadsheets": false,
  },
  words: [0, 0],
  run: async (run) =>
    withStore(run, async (store) => {
      const account = await theAccount(run, store);
      for await (const lines of linesOf(await textOf(run, store, account))) await run.write(lines);
      return 0;
    }),
};

/** Pieces that end where a line does, without that line's end. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of texts) {
    rest += text;
    const end = rest.lastIndexOf("\n");
    if (end < 0 || rest.length < PIECE) continue;
    yield rest.slice(0, end);
    rest = rest.slice(end + 1);
  }
  if (rest !== "") yield rest.replace(/\n$/, "");
}

/** Characters that are written at once, at least. */
const PIECE = 32 * 1024;

const textOf = async (
  run: Run,
  store: Store,
  account: Account,
): Promise<AsyncGenerator<string>> => {
  const format = run.flag("format") ?? "json";
  const part = await partOf(run, store, account.id);
  const isPart = part.folderId !== null || part.taskId !== null;
  if (run.has("for-spreadsheets") && format !== "csv")
    throw new UsageError("--for-spreadsheets goes with --format csv.");
  for (const flag of ["deleted", "history"])
    if (run.has(flag) && format !== "json")
      throw new UsageError(`--${flag} goes with --format json.`);
  if (format === "json") {
    if (isPart) throw new UsageError("--folder and --task need another --format than json.");
    const head = { account: account.email, exported_at: formatInstant(run.now()) };
    return exportJson(store, account.id, head, {
      withDeleted: run.has("deleted"),
      withHistory: run.has("history"),
    });
  }
  const known = Object.hasOwn(EXPORT_FORMATS, format) ? EXPORT_FORMATS[format] : undefined;
  if (!known)
    throw new UsageError(
      `--format must be json, ${Object.keys(EXPORT_FORMATS).slice(0, -1).join(", ")} or todotxt.`,
    );
  const write = run.has("for-spreadsheets") ? writeSafeCsv : known.write;
  return write(exportTasks(store, account.id, part));
};

const partOf = async (run: Run, store: Store, accountId: number): Promise<Part> => {
  const [folder, taskId = null] = [run.flag("folder"), run.flag("task")];
  if (folder !== undefined && taskId !== null)
    throw new UsageError("Send either --folder or --task, not both.");
  if (taskId !== null) await readTaskView(store, accountId, null, taskId);
  const folderId =
    folder === undefined ? null : await findFolder(store, accountId, null, folder, "--folder");
  return { folderId, taskId };
};
