import { openKeptWindow } from "../backup/backup.ts";
import { browser } from "../browser/api.ts";
import { syncNow } from "../core/sync.ts";
import { openArrived } from "../device/receive.ts";
import { reopen } from "../reopen/reopen.ts";
import { putBack } from "../reopen/take-out.ts";
import { save } from "../save/save.ts";
import { undoSave } from "../save/undo.ts";
import { freeWindow, openTaskWindow } from "../window/open.ts";
import { stepSoon } from "./badges.ts";
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
      const report = await save(message.request, message.key);
      void syncNow();
      return report;
    }
    case "undo":
      await undoSave(message.key);
      void syncNow();
      return null;
    case "window":
      await openTaskWindow(message.request, message.key);
      return null;
    case "free-window":
      await freeWindow(message.request);
      return null;
    case "step":
      stepSoon();
      return null;
    case "open-arrived": {
      const report = await openArrived(message.key);
      void syncNow();
      return report;
    }
    case "kept-window":
      return openKeptWindow(message.request, message.key);
    case "put-back":
      await putBack();
      void syncNow();
      return null;
    case "reopen": {
      const report = await reopen(message.request, message.key);
      if (message.request.takeOut) void syncNow();
      return report;
    }
    case "sync":
      await syncNow();
      stepSoon();
      return null;
  }
};
