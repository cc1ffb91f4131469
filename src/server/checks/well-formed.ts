import { trashRefusal } from "../../domain/tasks/draft.ts";
import { childrenOf } from "../../domain/base/payload.ts";
import { say } from "../../domain/base/message.ts";
import { Refusal } from "../../domain/base/refusal.ts";

/**
 * What a REST body may hold: text that every language can read, numbers that JSON
 * can carry, and nowhere a `deleted_at`, whatever its value. Sync bodies are judged per record instead.
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
