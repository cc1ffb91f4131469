import { signal } from "@preact/signals";
import { isoDay } from "../words/dates.ts";

/** The day that it is where the person is, `YYYY-MM-DD`. */
export const today = signal(isoDay(new Date()));

const look = (): void => {
  today.value = isoDay(new Date());
};

/** Notices midnight, also after the machine slept. */
export const watchToday = (): void => {
  setInterval(look, 30_000);
  document.addEventListener("visibilitychange", look);
};
