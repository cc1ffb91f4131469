import { browser } from "./browser.ts";
import type { Message, Reply } from "./messages.ts";
import { pair, signIn, signOut } from "./signin.ts";
import { sync } from "./sync.ts";
import { finishTask, saveWindow } from "./tasks.ts";

// The browser stops this worker when it is idle, and starts it again for the events it listens to. So the worker
// keeps no state, and adds its listeners before it does anything else.

const begin = (): void => {
  void browser.alarms.create("sync", { periodInMinutes: 1 });
  void sync();
};

browser.runtime.onInstalled.addListener(begin);
browser.runtime.onStartup.addListener(begin);

browser.alarms.onAlarm.addListener(() => {
  void sync();
});

browser.runtime.onMessage.addListener((message, _sender, answer) => {
  // Only the extension's own options page sends messages.
  void reply(message as Message).then(answer);
  // Announces that the answer comes later.
  return true;
});

const reply = async (message: Message): Promise<Reply> => {
  try {
    await obey(message);
    // Only a request to sync waits for the network.
    const synced = sync();
    if (message.kind === "sync") await synced;
    return { problem: null };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

const obey = async (message: Message): Promise<void> => {
  switch (message.kind) {
    case "finishTask":
      return finishTask(message.id);
    case "pair":
      return pair(message.server, message.code);
    case "saveWindow":
      return saveWindow(message.windowId);
    case "signIn":
      return signIn(message.server);
    case "signOut":
      return signOut();
    case "sync":
      return;
  }
};
