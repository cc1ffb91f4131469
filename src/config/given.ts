import type { Config } from "./config.ts";
import {
  type Environment,
  type Flags,
  readVariable,
  type SettingName,
  SETTINGS,
  variableOf,
} from "./settings.ts";

/** A setting as it is now, and the flag, variable or file that says so. `value` is null if nothing does. */
export type GivenSetting = {
  readonly setting: string;
  readonly value: string | null;
  readonly from: string;
};

/** Returns all settings, without what is secret. They were checked by `readConfig`, which made `config` of them. */
export const givenSettings = (
  flags: Flags,
  environment: Environment,
  readFile: (path: string) => string,
  config: Config,
): readonly GivenSetting[] =>
  (Object.keys(SETTINGS) as readonly SettingName[]).map((setting) => {
    const variable = variableOf(setting);
    const fromVariable = readVariable(setting, environment, readFile);
    const text = flags[setting] ?? fromVariable;
    if (text === undefined) return { setting, value: defaultOf(setting, config), from: "default" };
    const isFlag = flags[setting] !== undefined;
    const from = isFlag ? `--${setting}` : environment[variable] ? variable : `${variable}_FILE`;
    return { setting, value: withoutSecret(setting, text), from };
  });

const defaultOf = (setting: SettingName, config: Config): string | null => {
  if (setting === "data") return config.data;
  if (setting === "backups") return config.backups ?? "off";
  return /\(default: (.*)\)$/.exec(SETTINGS[setting].about)?.[1] ?? null;
};

const HIDDEN = "(secret)";

const withoutSecret = (setting: SettingName, text: string): string => {
  if (setting === "oidc-client-secret") return HIDDEN;
  if (setting !== "database" && setting !== "backups-s3") return text;
  return text
    .replace(/^(\w+:\/\/[^:@/]*:)[^/]*@/, `$1${HIDDEN}@`)
    .replaceAll(/([?&][^=&]*pass[^=&]*=)[^&]*/gi, `$1${HIDDEN}`);
};
