import { render } from "preact";
import { showClient } from "../../app/state/client.ts";
import { askWorker } from "../background/messages.ts";
import { connection } from "../connect/connection.ts";
import { currentClient } from "../core/open.ts";
import { settings } from "../save/settings.ts";
import { sayLast } from "./acts.ts";
import { Frame } from "./frame.tsx";
import { readHere } from "./here.ts";
import { closes, connected } from "./screen.ts";

const readConnection = async (): Promise<void> => {
  connected.value = await connection.read();
};

const start = async (): Promise<void> => {
  const [client, { close }] = await Promise.all([
    currentClient(),
    settings.read(),
    readHere(),
    readConnection(),
  ]);
  showClient(client);
  closes.value = close;
  connection.watch(() => void readConnection());
  await sayLast();
  const root = document.getElementById("popup");
  if (root) render(<Frame />, root);
  // For what other devices did since.
  void askWorker("sync", null);
};

start().catch(() => {
  document.body.textContent =
    "Docket cannot read what is stored in this browser. Close this, restart the browser, and try again.";
});
