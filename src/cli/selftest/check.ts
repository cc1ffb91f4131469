import type { Bench } from "./bench.ts";
import type { Who } from "./client.ts";

/** One rule of the contract. `run` throws `Broken` if the server breaks it. */
export type Check = {
  readonly area: string;
  /** The rule, as one sentence. */
  readonly rule: string;
  /** The credentials that it needs, as well as the session. */
  readonly needs: readonly Who[];
  readonly run: (bench: Bench) => Promise<void>;
};

/** Makes the checks of an area from their rules. */
export const checksOf = (
  area: string,
  needs: readonly Who[],
  rules: Readonly<Record<string, Check["run"]>>,
): readonly Check[] => Object.entries(rules).map(([rule, run]) => ({ area, rule, needs, run }));
