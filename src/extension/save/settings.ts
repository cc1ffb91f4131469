import { isObject } from "../../domain/base/payload.ts";
import { kept } from "../browser/kept.ts";

export type Settings = {
  /** Whether tabs are closed once they are saved. */
  readonly close: boolean;
};

export const settings = kept("settings", (stored): Settings => ({
  close: isObject(stored) && stored["close"] === true,
}));
