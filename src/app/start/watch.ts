import { effect } from "@preact/signals";
import type { Client } from "../../client/client.ts";
import { state } from "../state/client.ts";

const WAITING = "docket-waiting";
const UNSENT = "docket-unsent";

/** Keeps the store in step while someone looks at the window. */
export const keepInStep = (client: Client): void => {
  const follow = (): void => (document.hidden ? client.pause() : client.live());
  document.addEventListener("visibilitychange", follow);
  follow();
  // The account pages ask before they sign out while changes wait, or were refused: they are nowhere else.
  effect(() => {
    const { waiting, refused } = state();
    localStorage.setItem(WAITING, String(waiting + refused.length));
    // The sign-in page says how many are saved then: without those that were refused.
    localStorage.setItem(UNSENT, String(waiting));
  });
};
