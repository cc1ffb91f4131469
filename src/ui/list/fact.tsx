import type { ComponentChildren } from "preact";

/**
 * A mark beside a task, with what it means for those who do not see it. A function and no component: long lists draw
 * thousands of them.
 */
export const fact = (says: string, shown: ComponentChildren, kind = "") => (
  <span class={`fact ${kind}`} role="img" aria-label={says} title={says}>
    {shown}
  </span>
);
