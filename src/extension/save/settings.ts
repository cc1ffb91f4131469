import { isObject } from "../../domain/base/payload.ts";
import { kept } from "../browser/kept.ts";

export type Settings = {
  /** Whether tabs are closed once they are saved. */
  readonly close: boolean;
  /** Whether tabs leave their task once the popup has opened them. */
  readonly takeOut: boolean;
};

export const settings = kept("settings", (stored): Settings => ({
  close: isObject(stored) && stored["close"] === true,
  takeOut: isObject(stored) && stored["takeOut"] === true,
}));

export const changeSettings = async (change: Partial<Settings>): Promise<void> =>
  settings.write({ ...(await settings.read()), ...change });
