import { join } from "node:path";
import type { Order, Outcome } from "./load.ts";

/** The load generator in a process of its own, which stays warm from round to round. */
export type Generator = {
  /** Throws if a reply had a status other than `status`. */
  readonly run: (order: Order, status?: number) => Promise<Outcome>;
  readonly stop: () => void;
};

export const startGenerator = (): Generator => {
  let waiting: PromiseWithResolvers<Outcome> | null = null;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "load.ts")], {
    ipc: (outcome: Outcome) => waiting?.resolve(outcome),
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.once("exit", () => child.kill());
  void child.exited.then(() => waiting?.reject(new Error("The load generator ended.")));
  return {
    run: async (order, status = 200) => {
      waiting = Promise.withResolvers<Outcome>();
      child.send(order);
      const outcome = await waiting.promise;
      const others = Object.keys(outcome.statuses).filter((one) => Number(one) !== status);
      if (others.length === 0) return outcome;
      const what = `${order.calls[0]?.method} ${order.calls[0]?.path}`;
      throw new Error(
        `${what} was answered ${JSON.stringify(outcome.statuses)}; expected ${status}.`,
      );
    },
    stop: () => child.kill(),
  };
};
