import { computed, signal } from "@preact/signals";
import type { SetUp } from "../start/session.ts";
import { isWhole, state, tasks } from "./client.ts";

const PLACE = "docket-begun";

/** How far the person has come, as the server said when the page was opened; null as long as it has not. */
export const setUp = signal<SetUp | null>(null);

const hasArrived = computed(() => state().syncedAt !== null);

const isDismissed = signal(localStorage.getItem(PLACE) !== null);

/** Who has more tasks than this knows the way. */
const FEW = 25;

/** Whether the first steps are shown: to somebody who has not done them all, has few tasks, and did not put them away. */
export const showsFirstSteps = computed(() => {
  const now = setUp.value;
  if (now === null || isDismissed.value || !isWhole.value || tasks.value.size > FEW) return false;
  // Before the first answer, it would be drawn below an empty list, and move when the tasks arrive.
  if (!hasArrived.value) return false;
  return !(now.hasDevice && now.hasKey && now.hasImported && tasks.value.size > 0);
});

export const dismissFirstSteps = (): void => {
  localStorage.setItem(PLACE, "yes");
  isDismissed.value = true;
};
