import type { SyncState } from "../../client/client.ts";
import { Icon, type IconName } from "../parts/marks.tsx";
import { client, state } from "../state/client.ts";
import { isKept, isUnsaved } from "../state/lists.ts";
import { count } from "../words/names.ts";

/** How the sync is doing, in few words. Pressing it syncs now. */
export const SyncLine = () => {
  const { sync, syncedAt, waiting, saving, storage } = state();
  const isIdle = sync.kind === "idle";
  const isLost = isUnsaved.value || storage === "full";
  const [icon, words] = isLost
    ? (["triangle-alert", "Last change not saved"] as const)
    : isIdle && (saving > 0 || syncedAt === null)
      ? (["refresh-cw", saving > 0 ? "Saving…" : "Starting…"] as const)
      : shown(sync, waiting);
  return (
    <button
      type="button"
      class={`sync ${isLost ? "problem" : sync.kind}`}
      title={
        sync.kind === "problem" ? sync.sentence : `Sync now${KEPT[String(isKept.value)] ?? ""}`
      }
      onClick={() => void client().sync()}
    >
      <Icon name={icon} /> <span role="status">{words}</span>
    </button>
  );
};

/** What the browser says about the copy of the tasks that it holds. */
const KEPT: Readonly<Record<string, string>> = {
  true: "\nThis browser keeps its copy of your tasks.",
  false: "\nThis browser may remove its copy of your tasks if it runs out of room.",
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
