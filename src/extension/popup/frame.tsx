import { connected } from "../connect/connected.ts";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { typeIntoField } from "../../ui/keys/meaning.ts";
import { focusFirst } from "../../ui/parts/dialog.tsx";
import { Icon, Mark } from "../../ui/parts/marks.tsx";
import { NoticeBar } from "../../ui/parts/notice.tsx";
import { hasPanel, openPanel } from "../browser/commands.ts";
import { ReachLine } from "../connect/reach.tsx";
import { Arrived } from "../parts/arrived.tsx";
import { openOptions, Standing } from "../parts/standing.tsx";
import { WindowLine } from "../parts/task-window.tsx";
import { here, type Screen, screen } from "./here.ts";
import { SaveScreen } from "./save-screen.tsx";
import { TaskScreen, TasksScreen } from "./task-screen.tsx";

export const Frame = () => {
  const now = screen.value;
  // The field comes first on each screen, so that typing and Enter are all it takes: at once, for hands that know the way.
  useLayoutEffect(() => focusFirst(document), [now]);
  useEffect(() => typeIntoField("input[data-first]"), []);
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
        <PanelButton />
        <button
          type="button"
          class="icon-button"
          aria-label="Options"
          title="Options"
          onClick={() => void openOptions().then(leave)}
        >
          <Icon name="settings" />
        </button>
      </header>
      <Arrived />
      <main class="popup-main">
        {now.kind === "save" && <SaveScreen />}
        {now.kind === "tasks" && <TasksScreen />}
        {now.kind === "task" && <TaskScreen id={now.id} />}
      </main>
      {connected.value?.token && <ReachLine server={connected.value.server} />}
      <WindowLine windowId={here.value.active?.windowId} />
      <footer class="popup-foot">
        <NoticeBar />
        <Standing onLeave={leave} />
      </footer>
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

/** A popup closes when it loses the focus, but not in every browser. */
const leave = (): void => close();

const PanelButton = () =>
  hasPanel() ? (
    <button
      type="button"
      class="icon-button"
      aria-label="Open the side panel"
      title="Open the side panel"
      onClick={() => {
        openPanel(here.value.active?.windowId);
        leave();
      }}
    >
      <Icon name="panel-right" />
    </button>
  ) : null;
