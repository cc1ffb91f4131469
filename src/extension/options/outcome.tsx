import { outcome } from "./state.ts";

/** How the last thing that was asked for went. */
export const OutcomeLine = () => (
  <p class={`outcome ${outcome.value?.kind ?? ""}`} role="status">
    {outcome.value?.text}
  </p>
);
