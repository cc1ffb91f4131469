import type { Instant } from "../../domain/base/instant.ts";
import type { FileRead } from "../../import/file.ts";
import type { Store } from "../store.ts";
import type { Preview, Told } from "./batches.ts";
import { previewDocket, runDocket } from "./docket.ts";
import { previewImport, runImport } from "./run.ts";

/** Says what an import of a file will make. Writes nothing. */
export const previewFile = async (
  store: Pick<Store, "reader">,
  accountId: number,
  file: FileRead,
): Promise<Preview> =>
  file.kind === "tasks"
    ? previewImport(store, accountId, { ...file, tasks: file.items })
    : previewDocket(store, accountId, { ...file, records: file.items });

/**
 * Imports a file: see `runInBatches`. `upload` names the uploaded file, with which the server goes on after a kill; null if
 * there is none. Returns the import's id.
 */
export const runFile = async (
  store: Store,
  accountId: number,
  file: FileRead & { readonly upload: string | null },
  clock: () => Instant,
  told?: Told,
): Promise<number> =>
  file.kind === "tasks"
    ? runImport(store, accountId, { ...file, tasks: file.items }, clock, told)
    : runDocket(store, accountId, { ...file, records: file.items }, clock, told);
