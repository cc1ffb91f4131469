import { effect } from "@preact/signals";
import { state } from "../state/client.ts";
import { isKept } from "../state/lists.ts";

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

/** Keeps the app in this browser for use without a network. Browsers allow this over https and on localhost. */
export const keepForOffline = async (): Promise<void> => {
  if (!("serviceWorker" in navigator)) return;
  const url = trusted("/tasks/worker.js");
  await navigator.serviceWorker.register(url, { scope: "/tasks" }).catch(() => null);
};

/** The page's policy lets only an address that was made here become a worker. */
const trusted = (path: string): string => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return path;
  const policy = trustedTypes.createPolicy("docket-worker", {
    createScriptURL: (url) => (url === path ? url : ""),
  });
  return policy.createScriptURL(path);
};

type TrustedTypes = {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string };
};
