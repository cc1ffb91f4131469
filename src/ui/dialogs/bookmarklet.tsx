import { copyAndSay } from "../acts/copy.ts";
import { Dialog } from "../parts/dialog.tsx";
import { hideOverlay } from "../state/overlay.ts";

/** The bookmarklet: a bookmark that saves the page you are on. */
export const Bookmarklet = () => (
  <Dialog label="Bookmarklet" class="sheet narrow">
    <h2>Save from any page</h2>
    <p>
      Make a new bookmark in your browser, and paste this as its address. On any page, press the
      bookmark: a small window asks where to save the page.
    </p>
    <textarea class="field code" readOnly rows={4} aria-label="Address of the bookmark">
      {address()}
    </textarea>
    <p class="soft">
      {isSecureContext
        ? "On a phone, install Docket from the browser’s menu. It then appears when you press Share."
        : "On a phone, Docket can appear when you press Share, but only if its address has https."}
    </p>
    <div class="dialog-foot">
      <span class="spring" />
      <button type="button" class="button" onClick={hideOverlay}>
        Close
      </button>
      <button
        type="button"
        class="button main"
        data-first
        onClick={() => void copyAndSay(address(), "Bookmarklet copied")}
      >
        Copy
      </button>
    </div>
  </Dialog>
);

/** Browsers never run this here: the page's policy forbids it, and the person pastes it as text. */
const address = (): string =>
  `javascript:void open(${JSON.stringify(`${location.origin}/tasks/share?url=`)}+encodeURIComponent(location.href)+"&title="+encodeURIComponent(document.title),"docket","width=480,height=640")`;
