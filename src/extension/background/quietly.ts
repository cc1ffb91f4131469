import { syncNow } from "../core/sync.ts";
import { flash } from "../saved/badge.ts";
import { save } from "../save/save.ts";
import type { SaveRequest } from "../save/request.ts";
import { settings } from "../save/settings.ts";
import { sentenceOf } from "./messages.ts";

/** Saves what a menu or a key asked for. The badge says how it went, and the popup offers Undo. */
export const saveQuietly = async (request: Omit<SaveRequest, "close">): Promise<void> => {
  const { close } = await settings.read();
  // A link is no open tab.
  const closes = close && request.saved.kind === "tabs";
  try {
    const { label, canUndo } = await save({ ...request, close: closes }, crypto.randomUUID());
    await flash("✓", canUndo ? `${label}. Open Docket to undo.` : label);
  } catch (error) {
    await flash("!", sentenceOf(error));
  }
  void syncNow();
};
