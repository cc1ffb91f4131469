import type { Database } from "./database.ts";
import { type Meta, NEW_STORE } from "./row.ts";

/** The texts of the sketch; null if there is none, or if a record has changed since it was saved. */
type SketchFile = { readonly meta: Meta; readonly texts: readonly string[] | null };

export const readSketch = async (db: Database): Promise<SketchFile> => {
  const tx = db.transaction(["meta", "sketch"]);
  const [meta, sketch] = await Promise.all([
    tx.objectStore("meta").get("meta"),
    tx.objectStore("sketch").get("sketch"),
  ]);
  const isNew = meta !== undefined && sketch?.rowsAt === meta.rowsAt;
  return { meta: meta ?? NEW_STORE, texts: isNew && sketch ? sketch.texts : null };
};

/** Saves a sketch of the records as they were at `rowsAt`. If one has changed since, saves nothing. */
export const saveSketch = async (
  db: Database,
  rowsAt: number,
  texts: readonly string[],
): Promise<void> => {
  const tx = db.transaction(["meta", "sketch"], "readwrite", { durability: "relaxed" });
  const meta = await tx.objectStore("meta").get("meta");
  if (meta?.rowsAt === rowsAt) await tx.objectStore("sketch").put({ rowsAt, texts }, "sketch");
  await tx.done;
};
