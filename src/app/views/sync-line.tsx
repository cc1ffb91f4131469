import type { SyncState } from "../../client/client.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { client, state } from "../state/client.ts";
import { count } from "../words/count.ts";

/** How the sync is doing, in few words. Pressing it syncs now. */
export const SyncLine = () => {
  const { sync, waiting } = state();
  const [icon, words] = shown(sync, waiting);
  return (
    <button
      type="button"
      class={`sync ${sync.kind}`}
      title={sync.kind === "problem" ? sync.sentence : "Sync now"}
      onClick={() => void client().sync()}
    >
      <Icon name={icon} /> <span role="status">{words}</span>
    </button>
  );
};

const shown = (sync: SyncState, waiting: number): readonly [IconName, string] => {
  const waits = waiting === 0 ? "" : ` · ${count(waiting, "change")} to send`;
  switch (sync.kind) {
    case "idle":
      return ["cloud", waiting === 0 ? "All saved" : `Saved here${waits}`];
    case "syncing":
      return ["refresh-cw", waiting === 0 ? "Up to date" : "Saving…"];
    case "offline":
      return ["cloud-off", `Offline${waits}`];
    case "signed-out":
      return ["cloud-off", `Signed out${waits}`];
    case "problem":
      return ["triangle-alert", `Not in sync${waits}`];
  }
};
