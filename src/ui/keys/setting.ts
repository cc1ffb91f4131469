import { signal } from "@preact/signals";

const PLACE = "docket-single-keys";

/** Whether single letters are shortcuts. People who dictate turn that off. */
export const singleKeys = signal(localStorage.getItem(PLACE) !== "off");

export const setSingleKeys = (on: boolean): void => {
  singleKeys.value = on;
  localStorage.setItem(PLACE, on ? "on" : "off");
};
