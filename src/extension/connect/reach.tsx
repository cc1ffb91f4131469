import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { askWorker } from "../background/messages.ts";
import { browser } from "../browser/api.ts";
import { askPermission, mayReach, notReached } from "./connection.ts";

/** Says that the browser no longer lets the extension reach its server, and asks again. Nothing while it does. */
export const ReachLine = ({ server }: { readonly server: string }) => {
  const isBlocked = useSignal(false);
  useEffect(() => {
    const look = (): void =>
      void mayReach(server).then((may) => {
        isBlocked.value = !may;
      });
    look();
    const { onAdded, onRemoved } = browser.permissions;
    onAdded.addListener(look);
    onRemoved.addListener(look);
    return () => {
      onAdded.removeListener(look);
      onRemoved.removeListener(look);
    };
  }, [server]);
  if (!isBlocked.value) return null;
  // Browsers ask only in response to a click, so nothing is awaited before.
  const allow = (): void =>
    void askPermission(server).then((allowed) => (allowed ? askWorker("sync", null) : null));
  return (
    <p class="standing blocked" role="alert">
      {notReached(server)}{" "}
      <button type="button" class="link" onClick={allow}>
        Allow it again
      </button>
    </p>
  );
};
