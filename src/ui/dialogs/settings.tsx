import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/marks.tsx";
import { SingleKeys } from "./shortcuts.tsx";
import { hideOverlay } from "../state/overlay.ts";
import {
  changeSettings,
  DENSITIES,
  type Settings as Chosen,
  settings,
  STARTS,
  THEMES,
  WEEK_STARTS,
} from "../state/settings.ts";

/** How the app looks and behaves in this browser. */
export const Settings = () => (
  <Dialog label="Settings" class="sheet narrow">
    <header>
      <h2>Settings</h2>
      <span class="spring" />
      <button type="button" class="icon-button" data-first aria-label="Close" onClick={hideOverlay}>
        <Icon name="x" />
      </button>
    </header>
    <p class="soft">They count for this browser.</p>
    <div class="settings">
      <Setting name="theme" label="Colours" options={THEMES} />
      <Setting name="density" label="Lines of a list" options={DENSITIES} />
      <Setting name="start" label="Docket opens" options={STARTS} />
      <Setting name="weekStart" label="Weeks begin on" options={WEEK_STARTS} />
    </div>
    <SingleKeys />
  </Dialog>
);

type SettingProps = {
  readonly name: keyof Chosen;
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
};

const Setting = ({ name, label, options }: SettingProps) => (
  <label class="setting">
    <span>{label}</span>
    <select
      class="field"
      value={settings.value[name]}
      onChange={(event) => changeSettings({ [name]: event.currentTarget.value })}
    >
      {Object.entries(options).map(([value, shown]) => (
        <option key={value} value={value}>
          {shown}
        </option>
      ))}
    </select>
  </label>
);
