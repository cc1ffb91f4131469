import { changeSettings } from "../save/settings.ts";
import { closes } from "./state.ts";

/** What is closed after a save. */
export const SavingSection = () => (
  <section>
    <h2>Saving</h2>
    <label class="check">
      <input
        type="checkbox"
        checked={closes.value}
        onChange={(event) => {
          closes.value = event.currentTarget.checked;
          void changeSettings({ close: closes.value });
        }}
      />
      Close tabs once they are saved. Pinned tabs stay open.
    </label>
  </section>
);
