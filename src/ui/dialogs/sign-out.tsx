import { useSignal } from "@preact/signals";
import { exportAll } from "../acts/copy.ts";
import { Dialog } from "../parts/dialog.tsx";
import { signOut } from "../start/session.ts";
import { state } from "../state/client.ts";
import { hideOverlay } from "../state/overlay.ts";
import { count } from "../words/names.ts";

/** Asks before it signs out: this browser's copy is erased, and with it changes that the server does not have. */
export const SignOut = () => {
  const busy = useSignal(false);
  const { waiting, refused } = state();
  const lost = waiting + refused.length;
  return (
    <Dialog label="Sign out" class="sheet narrow">
      <h2>Sign out?</h2>
      {lost === 0 ? (
        <p>This browser’s copy of your tasks is erased. Everything is safe on the server.</p>
      ) : (
        <p>
          <b>
            {count(lost, "change")} in this browser {lost === 1 ? "is" : "are"} not on the server.
          </b>{" "}
          If you sign out now, you lose {lost === 1 ? "it" : "them"}. You can save everything to a
          file first.
        </p>
      )}
      <div class="dialog-foot">
        {lost > 0 && (
          <button type="button" class="button" onClick={() => void exportAll()}>
            Save to a file
          </button>
        )}
        <span class="spring" />
        <button type="button" class="button" data-first onClick={hideOverlay}>
          Cancel
        </button>
        <button
          type="button"
          class={`button ${lost > 0 ? "danger" : "main"}`}
          disabled={busy.value}
          onClick={async () => {
            busy.value = true;
            if (!(await signOut(lost > 0))) busy.value = false;
          }}
        >
          {lost > 0 ? "Sign out and lose changes" : "Sign out"}
        </button>
      </div>
    </Dialog>
  );
};
