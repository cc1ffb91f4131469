import { effect } from "@preact/signals";
import { showClient, state, tasks } from "../../app/state/client.ts";
import type { Client } from "../../client/client.ts";
import { connected } from "../connect/connected.ts";
import type { Connection } from "../connect/connection.ts";
import { askWorker } from "../background/messages.ts";
import { windowsOfTasks } from "../parts/task-window.tsx";
import { wakeToPush } from "../core/wake.ts";

let shown: Client | null = null;

/** Shows an account's store, and keeps it in step with the server while someone looks at the panel. */
export const showAccount = (now: Connection | null, client: Client): void => {
  connected.value = now;
  if (client !== shown) showClient(client);
  shown = client;
  keepInStep();
};

const keepInStep = (): void => {
  if (connected.value?.token == null || document.hidden) shown?.pause();
  else shown?.live();
};

/** Call it once. */
export const watchStep = (): void => {
  document.addEventListener("visibilitychange", keepInStep);
  // What comes here from elsewhere is opened in the window of its task, and only the worker can.
  effect(() => {
    void tasks.value;
    if (windowsOfTasks.value.length > 0) void askWorker("step", null);
  });
  // The panel may be closed between the store and the server. Then the worker finishes.
  let waited = false;
  effect(() => {
    const waits = state().waiting > 0 && connected.value?.token != null;
    if (waits && !waited) void wakeToPush();
    waited = waits;
  });
};
