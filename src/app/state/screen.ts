import { signal } from "@preact/signals";
import { isInExtension } from "./page.ts";

const coarse = matchMedia(isInExtension ? "not all" : "(max-width: 700px), (pointer: coarse)");

/** How high a row of a list is: taller where fingers press. The style sheet has the same two heights. */
export const rowHeight = signal(coarse.matches ? 52 : 38);
coarse.addEventListener("change", () => (rowHeight.value = coarse.matches ? 52 : 38));
