import { connected } from "../connect/connected.ts";
import { render } from "preact";
import { watchMeaning } from "../../ui/keys/meaning.ts";
import { followSettings } from "../../ui/state/settings.ts";
import { showClient } from "../../ui/state/client.ts";
import { askWorker } from "../background/messages.ts";
import { followConnection } from "../core/sync.ts";
import { followDevice } from "../parts/arrived.tsx";
import { followTaskWindows } from "../parts/task-window.tsx";
import { readSettings } from "../save/savable.ts";
import { sayLast } from "./acts.ts";
import { Frame } from "./frame.tsx";
import { closes, readHere, takesOut } from "./here.ts";

const start = async (): Promise<void> => {
  watchMeaning();
  followSettings();
  const [{ close, takeOut }] = await Promise.all([
    readSettings(),
    readHere(),
    followTaskWindows(),
    followDevice(),
    followConnection((now, client) => {
      connected.value = now;
      showClient(client);
    }),
  ]);
  closes.value = close;
  takesOut.value = takeOut;
  await sayLast();
  const root = document.getElementById("popup");
  if (root) render(<Frame />, root);
  // For what other devices did since.
  void askWorker("sync", null);
};

start().catch(() => {
  document.body.textContent =
    "Docket cannot read what is stored in this browser. If the disk is full, free some space. Then restart the browser and try again.";
});
