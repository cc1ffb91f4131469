import { syncNow } from "../core/sync.ts";
import { flash } from "../saved/badge.ts";
import { save } from "../save/save.ts";
import { type SaveRequest, sayReport } from "../save/request.ts";
import { readSettings } from "../save/savable.ts";
import { sentenceOf } from "./messages.ts";

/** Saves what a menu or a key asked for. The badge says how it went, and the popup offers Undo. */
export const saveQuietly = async (request: Omit<SaveRequest, "close">): Promise<void> => {
  const { close } = await readSettings();
  // A link is no open tab.
  const closes = close && request.saved.kind === "tabs";
  try {
    const report = await save({ ...request, close: closes }, crypto.randomUUID());
    const said = sayReport(report);
    const whole = said.endsWith(".") ? said : `${said}.`;
    await flash("✓", report.canUndo ? `${whole} Open Docket to undo.` : said);
  } catch (error) {
    await flash("!", sentenceOf(error));
  }
  void syncNow();
};
