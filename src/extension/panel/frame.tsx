import { connected } from "../connect/connected.ts";
import { Overlays } from "../../ui/dialogs/overlays.tsx";
import { NoticeBar } from "../../ui/parts/notice.tsx";
import { Drawer } from "../../ui/sidebar/sidebar.tsx";
import { lastSync, state } from "../../ui/state/client.ts";
import { drawer, overlay } from "../../ui/state/overlay.ts";
import { route } from "../../ui/state/route.ts";
import { Banner } from "../../ui/views/banner.tsx";
import { OpenTask } from "../../ui/views/open-task.tsx";
import { CurrentView } from "../../ui/views/view.tsx";
import { Arrived } from "../parts/arrived.tsx";
import { Standing } from "../parts/standing.tsx";
import { WindowLine } from "../parts/task-window.tsx";
import { Nav } from "./nav.tsx";
import { OpenTabs } from "./open-tabs.tsx";
import { openTabs } from "./tabs.ts";

/** The side panel: the app's views, one at a time, and below them the tabs that are open. */
export const Frame = () => {
  const { task } = route.value;
  return (
    <div class={`side-panel${drawer.value ? " with-drawer" : ""}`}>
      <Nav />
      <Drawer />
      <Arrived />
      <main id="main" tabIndex={-1}>
        {isSignedOut() ? null : <Banner />}
        {task === null ? <CurrentView /> : <OpenTask id={task} />}
        {overlay.value === null && <NoticeBar />}
      </main>
      <WindowLine windowId={openTabs.value[0]?.windowId} />
      <OpenTabs />
      {isSignedOut() || lastSync.value.kind === "offline" ? <Standing /> : null}
      <Overlays />
    </div>
  );
};

/** The app's own words for it lead to a page that is not here. */
const isSignedOut = (): boolean =>
  connected.value?.token == null || state().sync.kind === "signed-out";
