import { signal } from "@preact/signals";
import { say } from "../../ui/state/notice.ts";
import { records } from "../../ui/state/client.ts";
import { Icon } from "../../ui/parts/marks.tsx";
import { count } from "../../ui/words/names.ts";
import { askWorker } from "../background/messages.ts";
import { arrivalsIn, deviceName, tasksOfDevice } from "../device/device.ts";
import { sayOpened } from "./saving.ts";

/** What other devices call this one. */
export const ownName = signal<string | null>(null);

const read = async (): Promise<void> => {
  ownName.value = await deviceName.read();
};

export const followDevice = async (): Promise<void> => {
  deviceName.watch(() => void read());
  await read();
};

/** A second click while they open must not ask for them again. */
const isOpening = signal(false);

/** Says that tabs were sent here, and opens them. */
export const Arrived = () => {
  const name = ownName.value;
  const arrived = arrivalsIn(name === null ? [] : tasksOfDevice(records.value, name));
  if (arrived.count === 0) return null;
  return (
    <p class="arrived" role="status">
      <Icon name="send" size={14} />
      <span>{count(arrived.count, "tab was", "tabs were")} sent here</span>
      {arrived.from !== "" && (
        <span class="soft" dir="auto">
          {arrived.from}
        </span>
      )}
      <button type="button" class="link" disabled={isOpening.value} onClick={() => void open()}>
        Open here
      </button>
    </p>
  );
};

const open = async (): Promise<void> => {
  isOpening.value = true;
  const reply = await askWorker("open-arrived", null);
  isOpening.value = false;
  if (reply.kind === "failed") return say({ text: reply.problem, kind: "problem" });
  sayOpened(reply.report, true);
};
