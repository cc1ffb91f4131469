import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../../app/parts/icon.tsx";
import { Mark } from "../../app/parts/mark.tsx";
import { NoticeBar } from "../../app/parts/notice.tsx";
import { state } from "../../app/state/client.ts";
import { count } from "../../app/words/count.ts";
import { browser } from "../browser/api.ts";
import { SaveScreen } from "./save-screen.tsx";
import { connected, type Screen, screen } from "./screen.ts";
import { TaskScreen } from "./task-screen.tsx";
import { TasksScreen } from "./tasks-screen.tsx";

export const Frame = () => {
  const now = screen.value;
  // The field comes first on each screen, so that typing and Enter are all it takes.
  useEffect(() => document.querySelector<HTMLElement>("[data-first]")?.focus(), [now]);
  return (
    <>
      <header class="popup-head">
        <Mark />
        <nav aria-label="Docket">
          <Turn to={{ kind: "save" }} isOn={now.kind === "save"}>
            Save
          </Turn>
          <Turn to={{ kind: "tasks" }} isOn={now.kind !== "save"}>
            Open
          </Turn>
        </nav>
        <span class="spring" />
        <button type="button" class="icon-button" aria-label="Options" onClick={openOptions}>
          <Icon name="settings" />
        </button>
      </header>
      <main class="popup-main">
        {now.kind === "save" && <SaveScreen />}
        {now.kind === "tasks" && <TasksScreen />}
        {now.kind === "task" && <TaskScreen id={now.id} />}
      </main>
      <Standing />
      <NoticeBar />
    </>
  );
};

type TurnProps = {
  readonly to: Screen;
  readonly isOn: boolean;
  readonly children: ComponentChildren;
};

const Turn = ({ to, isOn, children }: TurnProps) => (
  <button
    type="button"
    class="turn"
    aria-current={isOn ? "page" : undefined}
    onClick={() => (screen.value = to)}
  >
    {children}
  </button>
);

const openOptions = (): void => void browser.runtime.openOptionsPage().then(() => close());

/** Where what is saved is: on the server, on its way, or in this browser only. */
const Standing = () => {
  const { waiting, sync } = state();
  if (connected.value === null)
    return (
      <p class="standing">
        Saved in this browser only.{" "}
        <button type="button" class="link" onClick={openOptions}>
          Connect your server
        </button>
      </p>
    );
  if (connected.value.token === null)
    return (
      <p class="standing">
        You are signed out{waiting > 0 && `, and ${count(waiting, "change")} wait for the server`}.{" "}
        <button type="button" class="link" onClick={openOptions}>
          Sign in
        </button>
      </p>
    );
  if (sync.kind === "problem") return <p class="standing">{sync.sentence}</p>;
  if (waiting === 0) return null;
  return <p class="standing">{count(waiting, "change")} not yet on the server</p>;
};
