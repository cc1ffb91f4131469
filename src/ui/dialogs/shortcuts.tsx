import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/marks.tsx";
import { SHEET } from "../keys/sheet.ts";
import { setSingleKeys, singleKeys } from "../keys/setting.ts";
import { hideOverlay } from "../state/overlay.ts";

/** Every key and what it does. */
export const Shortcuts = () => (
  <Dialog label="Keyboard shortcuts" class="sheet">
    <header>
      <h2>Keyboard shortcuts</h2>
      <span class="spring" />
      <button type="button" class="icon-button" data-first aria-label="Close" onClick={hideOverlay}>
        <Icon name="x" />
      </button>
    </header>
    <div class="sheet-columns">
      {SHEET.map(([title, lines]) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {lines.map(([keys, words]) => (
              <div key={words}>
                <dt>
                  {keys.split(" ").map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
    <SingleKeys />
  </Dialog>
);

/** Whether single letters are shortcuts. */
export const SingleKeys = () => (
  <label class="check">
    <input
      type="checkbox"
      checked={singleKeys.value}
      onChange={(event) => setSingleKeys(event.currentTarget.checked)}
    />
    Single-key shortcuts. Turn this off if you use voice control.
  </label>
);
