import { trashRefusal } from "../../domain/tasks/draft.ts";
import { childrenOf } from "../../domain/base/payload.ts";
import { say } from "../../domain/base/message.ts";
import { Refusal } from "../../domain/base/refusal.ts";

/**
 * Checks a parsed REST body, at every depth. Refuses text with lone surrogates or NUL and numbers too large for a
 * double (400), and `deleted_at` with any value (403 for an API key, 422 for a session). Sync checks each record
 * instead.
 */
export const checkRestBody = (value: unknown, byKey: boolean): void => {
  if (typeof value === "string") return checkText(value);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new Refusal(
      "malformed",
      say`${{ phrase: "The body contains" }} a number that is too large.`,
    );
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "deleted_at")) throw trashRefusal("deleted_at", byKey);
  if (!Array.isArray(value)) Object.keys(value).forEach(checkText);
  for (const child of childrenOf(value)) checkRestBody(child, byKey);
};

const checkText = (text: string): void => {
  if (!text.isWellFormed())
    throw new Refusal(
      "malformed",
      say`${{ phrase: "The body contains" }} text that is cut off in the middle of a character (a lone surrogate).`,
    );
  if (text.includes("\0"))
    throw new Refusal("malformed", say`${{ phrase: "The body contains" }} a NUL character.`);
};
