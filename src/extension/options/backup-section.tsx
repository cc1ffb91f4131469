import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { momentWords } from "../../ui/words/dates.ts";
import { count } from "../../ui/words/names.ts";
import { askWorker } from "../background/messages.ts";
import { type Backup, backups, type KeptWindow, makesBackups } from "../backup/backup.ts";

/** Copies of all windows, and the way back to each of them. */
export const BackupSection = () => {
  const isOn = useSignal(true);
  const kept = useSignal<readonly Backup[]>([]);
  const said = useSignal("");
  useEffect(() => {
    const read = async (): Promise<void> => {
      [isOn.value, kept.value] = await Promise.all([makesBackups.read(), backups.read()]);
    };
    void read();
    backups.watch(() => void read());
  }, []);
  const open = async (at: number, window: number): Promise<void> => {
    const reply = await askWorker("kept-window", { at, window });
    said.value =
      reply.kind === "failed"
        ? reply.problem
        : [`${count(reply.report.opened, "tab")} opened.`, ...reply.report.refused].join(" ");
  };
  return (
    <section>
      <h2>Copies of your windows</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn.value}
          onChange={(event) => {
            isOn.value = event.currentTarget.checked;
            void makesBackups.write(isOn.value);
          }}
        />
        Keep a copy of all windows every few minutes. The last 20 stay in this browser.
      </label>
      {kept.value.length > 0 && (
        <details class="copies">
          <summary>{count(kept.value.length, "copy", "copies")}</summary>
          <ul>
            {kept.value.map(({ at, windows }) => (
              <li key={at}>
                <b>{momentWords(new Date(at).toISOString(), true)}</b>
                <ul>
                  {windows.map((window, index) => (
                    <li key={index} class="copy">
                      <span class="name" dir="auto" title={window.tabs.map(titleOf).join("\n")}>
                        {count(window.tabs.length, "tab")}: {namesOf(window)}
                      </span>
                      <button
                        type="button"
                        class="button small"
                        aria-label={`Open the window with ${namesOf(window)} again`}
                        onClick={() => void open(at, index)}
                      >
                        Open again
                      </button>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="outcome" role="status">
        {said.value}
      </p>
    </section>
  );
};

const titleOf = ({ title }: KeptWindow["tabs"][number]): string => title;

const namesOf = ({ tabs }: KeptWindow): string => tabs.slice(0, 4).map(titleOf).join(", ");
