import { currentClient } from "../core/open.ts";
import { changeSetting } from "../save/savable.ts";
import { closes } from "./state.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { browser, isFirefox } from "../browser/api.ts";

/** A copy of all that this browser holds. */
export const DataSection = () => (
  <section>
    <h2>Your data</h2>
    <p class="soft">
      Save everything that is in this browser as a file, including changes that wait for the server.
    </p>
    <div class="buttons">
      <button type="button" class="button" onClick={() => void download()}>
        Export as JSON
      </button>
    </div>
  </section>
);

const download = async (): Promise<void> => {
  const text = await (await currentClient()).export();
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const day = new Date().toISOString().slice(0, 10);
  Object.assign(document.createElement("a"), { href: url, download: `docket-${day}.json` }).click();
  URL.revokeObjectURL(url);
};

/** What is closed after a save. */
export const SavingSection = () => (
  <section>
    <h2>Saving</h2>
    <label class="check">
      <input
        type="checkbox"
        checked={closes.value}
        onChange={(event) => {
          closes.value = event.currentTarget.checked;
          void changeSetting("close", closes.value);
        }}
      />
      Close tabs once they are saved. Pinned tabs stay open.
    </label>
  </section>
);

type Shortcut = { readonly does: string; readonly keys: string };

/** The keys as they are set in this browser. */
export const ShortcutsSection = () => {
  const shortcuts = useSignal<readonly Shortcut[]>([]);
  useEffect(() => {
    void readShortcuts().then((found) => (shortcuts.value = found));
  }, []);
  if (shortcuts.value.length === 0) return null;
  return (
    <section>
      <h2>Keyboard shortcuts</h2>
      <dl class="facts-list">
        {shortcuts.value.map(({ does, keys }) => (
          <>
            <dt>{keys === "" ? "none" : <kbd>{keys}</kbd>}</dt>
            <dd>{does}</dd>
          </>
        ))}
        <dt>
          <kbd>dk</kbd>
        </dt>
        <dd>In the address bar, with a space after it: find a task or a saved page</dd>
      </dl>
      <p class="soft">
        {isFirefox()
          ? "To change them, open about:addons, press the wheel, and choose Manage Extension Shortcuts."
          : "To change them, open chrome://extensions/shortcuts."}
      </p>
    </section>
  );
};

const readShortcuts = async (): Promise<readonly Shortcut[]> => {
  const commands = (await browser.commands?.getAll()) ?? [];
  return commands.map(({ description, shortcut }) => ({
    does: description || "Open Docket",
    // Firefox spells them out.
    keys: (shortcut ?? "").replace("Comma", ",").replace("Period", "."),
  }));
};
