import { render } from "preact";
import { Mark } from "../../app/parts/mark.tsx";
import { connection } from "../connect/connection.ts";
import { currentClient } from "../core/open.ts";
import { settings } from "../save/settings.ts";
import { AccountSection } from "./account-section.tsx";
import { ConnectSection } from "./connect-section.tsx";
import { DataSection } from "./data-section.tsx";
import { SavingSection } from "./saving-section.tsx";
import { ShortcutsSection } from "./shortcuts-section.tsx";
import { closes, connected, stored, typed } from "./state.ts";

const Options = () => (
  <main class="options">
    <header>
      <Mark size={28} />
      <h1>Docket options</h1>
    </header>
    {connected.value === null ? <ConnectSection /> : <AccountSection now={connected.value} />}
    <SavingSection />
    <ShortcutsSection />
    <DataSection />
  </main>
);

/** Shows the account that is signed in now, and its store. */
const follow = async (): Promise<void> => {
  const now = await connection.read();
  if (now) typed.value = now.server;
  connected.value = now;
  const client = await currentClient();
  stored.value = client.state();
  client.subscribe(() => (stored.value = client.state()));
};

const start = async (): Promise<void> => {
  closes.value = (await settings.read()).close;
  await follow();
  connection.watch(() => void follow());
  const root = document.getElementById("options");
  if (root) render(<Options />, root);
};

start().catch(() => {
  document.body.textContent =
    "Docket cannot read what is stored in this browser. Restart the browser, and try again.";
});
