import { render } from "preact";
import { watchMeaning } from "../../ui/keys/meaning.ts";
import { followSettings } from "../../ui/state/settings.ts";
import { Mark } from "../../ui/parts/marks.tsx";
import type { Client } from "../../client/client.ts";
import { findServer } from "../connect/check.ts";
import type { Connection } from "../connect/connection.ts";
import { followConnection } from "../core/sync.ts";
import { followDevice } from "../parts/arrived.tsx";
import { readSettings } from "../save/savable.ts";
import { AccountSection } from "./account-section.tsx";
import { BackupSection } from "./backup-section.tsx";
import { ConnectSection } from "./connect-section.tsx";
import { DeviceSection } from "./device-section.tsx";
import { ImportSection } from "./import-section.tsx";
import { DataSection, SavingSection, ShortcutsSection } from "./sections.tsx";
import { closes, connected, outcome, stored, typed } from "./state.ts";

const Options = () => (
  <main class="options">
    <header>
      <Mark size={28} />
      <h1>Docket options</h1>
    </header>
    {connected.value === null ? <ConnectSection /> : <AccountSection now={connected.value} />}
    {connected.value === null ? null : <DeviceSection />}
    <SavingSection />
    <BackupSection />
    <ImportSection />
    <ShortcutsSection />
    <DataSection />
  </main>
);

let forget = (): void => {};

/** Shows the account that is signed in now, and its store. */
const show = (now: Connection | null, client: Client): void => {
  // What someone types stays when only the session changes.
  if (now && now.server !== connected.value?.server) typed.value = now.server;
  connected.value = now;
  stored.value = client.state();
  forget();
  forget = client.subscribe(() => (stored.value = client.state()));
};

const start = async (): Promise<void> => {
  watchMeaning();
  followSettings();
  closes.value = (await readSettings()).close;
  await Promise.all([followConnection(show), followDevice()]);
  const root = document.getElementById("options");
  if (root) render(<Options />, root);
  await suggestServer();
};

/** Spares people with a server on this computer the address, unless they have begun to type one. */
const suggestServer = async (): Promise<void> => {
  if (connected.value !== null || typed.value !== "") return;
  const server = await findServer();
  if (server === null || connected.value !== null || typed.value !== "") return;
  typed.value = server;
  outcome.value = { kind: "good", text: "Docket runs on this computer. Sign in to connect it." };
};

start().catch(() => {
  document.body.textContent =
    "Docket cannot read what is stored in this browser. If the disk is full, free some space. Then restart the browser and try again.";
});
