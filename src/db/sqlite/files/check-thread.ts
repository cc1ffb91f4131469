import type { Checked } from "./background-check.ts";
import { findDamage } from "./soundness.ts";

// Checks the data on a thread of its own, once, so that a server can work meanwhile.

declare const self: Worker;

self.addEventListener("message", ({ data: directory }: MessageEvent<string>): void => {
  const answer = ((): Checked => {
    try {
      const damage = findDamage(directory);
      return damage === null ? { state: "sound" } : { state: "damaged", damage };
    } catch (error) {
      return { state: "unknown", cause: String(error) };
    }
  })();
  self.postMessage(answer, []);
});
