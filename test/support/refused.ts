import { Refusal } from "../../src/domain/base/refusal.ts";

/** What `work` is refused with. All else that it throws goes on up, and so does a success. */
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
