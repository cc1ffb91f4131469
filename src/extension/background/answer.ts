import { browser } from "../browser/api.ts";
import { syncNow } from "../core/sync.ts";
import { reopen } from "../reopen/reopen.ts";
import { save } from "../save/save.ts";
import { undoSave } from "../save/undo.ts";
import { type Message, type Reply, sentenceOf } from "./messages.ts";

/** Answers the extension's own pages. */
export const answerPages = (): void =>
  browser.runtime.onMessage.addListener((message, sender, answer) => {
    if (sender.id !== browser.runtime.id) return false;
    void reply(message as Message).then(answer);
    // The answer comes later.
    return true;
  });

const reply = async (message: Message): Promise<Reply<unknown>> => {
  try {
    return { kind: "done", report: await obey(message) };
  } catch (error) {
    return { kind: "failed", problem: sentenceOf(error) };
  }
};

/** A save is done when the store has it. The server hears of it afterwards. */
const obey = async (message: Message): Promise<unknown> => {
  switch (message.kind) {
    case "save": {
      const report = await save(message.request);
      void syncNow();
      return report;
    }
    case "undo":
      await undoSave();
      void syncNow();
      return null;
    case "reopen":
      return reopen(message.request);
    case "sync":
      await syncNow();
      return null;
  }
};
