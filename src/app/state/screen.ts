import { signal } from "@preact/signals";
import { isInExtension } from "./page.ts";

const coarse = matchMedia(isInExtension ? "not all" : "(max-width: 700px), (pointer: coarse)");

/** How high a row of a list is: taller where fingers press. The style sheet has the same two heights. */
export const rowHeight = signal(coarse.matches ? 52 : 38);
coarse.addEventListener("change", () => (rowHeight.value = coarse.matches ? 52 : 38));

const narrow = matchMedia("(max-width: 1040px)");

/** Whether an open task lies over the list, as the style sheet has it. The extension's panel shows one at a time anyway. */
export const isNarrow = signal(!isInExtension && narrow.matches);
narrow.addEventListener("change", () => (isNarrow.value = !isInExtension && narrow.matches));
