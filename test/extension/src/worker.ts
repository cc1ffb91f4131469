import { browser } from "./browser.ts";
import type { Message, Reply } from "./messages.ts";
import { pair, signIn, signOut } from "./signin.ts";
import { sync } from "./sync.ts";
import { finishTask, saveWindow } from "./tasks.ts";

// The browser stops this worker whenever nothing happens, and starts it again for what is listened to
// here. So it remembers nothing itself, and listens before it does anything else.

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
  // Only our own options page sends any.
  void reply(message as Message).then(answer);
  // The answer comes later.
  return true;
});

const reply = async (message: Message): Promise<Reply> => {
  try {
    await obey(message);
    // Whoever asks is not kept waiting for the network, unless that is what they ask for.
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
