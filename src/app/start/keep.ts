import { effect } from "@preact/signals";
import { state } from "../state/client.ts";
import { isKept } from "../state/kept.ts";

const ASKED = "docket-asked-to-keep";

/**
 * Asks the browser not to remove this copy when it runs out of room: once, after the person's first change, or when the
 * app is installed. Some browsers then ask the person, so a page that was only looked at never asks.
 */
export const keepStorage = (): void => {
  // Browsers offer this over https and on localhost.
  const storage = navigator.storage as StorageManager | undefined;
  if (!storage) return;
  const ask = async (): Promise<void> => {
    isKept.value = await storage.persist().catch(() => null);
  };
  storage.persisted().then(
    (is) => (isKept.value = is),
    () => null,
  );
  if (matchMedia("(display-mode: standalone)").matches) void ask();
  addEventListener("appinstalled", () => void ask());
  effect(() => {
    if (state().steps.length === 0 || localStorage.getItem(ASKED) !== null) return;
    localStorage.setItem(ASKED, "yes");
    void ask();
  });
};
