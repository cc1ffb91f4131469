import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { browser, isFirefox } from "../browser/api.ts";

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
