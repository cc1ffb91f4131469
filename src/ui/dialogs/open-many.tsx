import { openUrls } from "../acts/tabs.ts";
import { Dialog } from "../parts/dialog.tsx";
import { hideOverlay } from "../state/overlay.ts";

/** Asks before many tabs are opened at once. */
export const OpenMany = ({ urls }: { readonly urls: readonly string[] }) => (
  <Dialog label="Open many tabs" class="sheet narrow">
    <h2>Open {urls.length} tabs?</h2>
    <p>Your browser may ask you to allow pop-ups for this page.</p>
    <div class="dialog-foot">
      <span class="spring" />
      <button type="button" class="button" onClick={hideOverlay}>
        Cancel
      </button>
      <button
        type="button"
        class="button main"
        data-first
        onClick={() => {
          hideOverlay();
          openUrls(urls);
        }}
      >
        Open {urls.length} tabs
      </button>
    </div>
  </Dialog>
);
