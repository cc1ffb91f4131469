import { Refusal } from "../../src/domain/base/refusal.ts";

/**
 * Returns the refusal that `work` ends with. Throws any other error again, and fails if `work`
 * succeeds.
 */
export const refused = async (work: () => unknown) => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { reason, message, headers } = error;
    return { reason, message, headers };
  }
  throw new Error("It was not refused.");
};
