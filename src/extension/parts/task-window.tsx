import { signal } from "@preact/signals";
import { taskName, type TaskView } from "../../client/views.ts";
import type { MenuItem } from "../../ui/parts/menu.tsx";
import { tasks } from "../../ui/state/client.ts";
import { say } from "../../ui/state/notice.ts";
import { askWorker } from "../background/messages.ts";
import { browser } from "../browser/api.ts";
import { type Bound, boundWindows } from "../window/bound.ts";
import { openTaskTabs } from "./saving.ts";

/** The windows of tasks, as far as this page knows. */
export const windowsOfTasks = signal<readonly Bound[]>([]);

const read = async (): Promise<void> => {
  windowsOfTasks.value = await boundWindows.read();
};

/** Follows which windows are those of tasks. */
export const followTaskWindows = async (): Promise<void> => {
  boundWindows.watch(() => void read());
  await read();
};

/** Says whose window this is, and ends it. */
export const WindowLine = ({ windowId }: { readonly windowId: number | undefined }) => {
  const bound = windowsOfTasks.value.find((one) => one.windowId === windowId);
  const task = tasks.value.get(bound?.taskId ?? "");
  if (!bound || !task) return null;
  return (
    <p class="standing window-line">
      <span>
        Window of <b dir="auto">{taskName(task)}</b>: what you open here is saved there.
      </span>{" "}
      <button
        type="button"
        class="link"
        onClick={() => void askWorker("free-window", bound.windowId)}
      >
        Stop
      </button>
    </p>
  );
};

export const openWindowOf = async (taskId: string): Promise<void> => {
  const reply = await askWorker("window", taskId);
  if (reply.kind === "failed") say({ text: reply.problem, kind: "problem" });
};

/** What the extension can do with a task, in addition to what the app can. */
export const taskItems = ({ id, tabs, deletedAt }: TaskView): readonly MenuItem[] => {
  if (deletedAt !== null) return [];
  const open = (where: "group" | "window") => (): void =>
    void openTaskTabs({ taskId: id, names: null, where });
  return [
    ...(tabs.length > 0 && browser.windows
      ? [{ name: "Open in a new window", icon: "app-window", run: open("window") } as const]
      : []),
    ...(tabs.length > 0 && browser.tabGroups
      ? [{ name: "Open as a group", icon: "layers", run: open("group") } as const]
      : []),
    ...(browser.windows
      ? [
          {
            name: "Open as the task’s window",
            icon: "app-window",
            run: () => void openWindowOf(id),
          } as const,
        ]
      : []),
  ];
};
