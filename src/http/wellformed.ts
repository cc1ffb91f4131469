import { trashRefusal } from "../draft.ts";
import { isDeeperThan, MAX_DEPTH } from "../payload.ts";
import { Refusal } from "../refusal.ts";

/**
 * What a REST body may hold (DESIGN, section 5): text that every language can read, numbers that JSON
 * can carry, and nowhere a `deleted_at`, whatever its value. Sync bodies are judged per record instead.
 */
export const checkRestBody = (body: unknown, byKey: boolean): void => {
  if (isDeeperThan(body, MAX_DEPTH)) throw tooDeep(MAX_DEPTH);
  checkValue(body, byKey);
};

const checkValue = (value: unknown, byKey: boolean): void => {
  if (typeof value === "string") return checkText(value);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new Refusal("malformed", "The body holds a number that is too large.");
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "deleted_at")) throw trashRefusal("deleted_at", byKey);
  for (const [key, child] of Object.entries(value)) {
    checkText(key);
    checkValue(child, byKey);
  }
};

const checkText = (text: string): void => {
  if (!text.isWellFormed())
    throw new Refusal(
      "malformed",
      "The body holds text that is cut in the middle of a character (a lone surrogate).",
    );
  if (text.includes("\0")) throw new Refusal("malformed", "The body holds a NUL character.");
};

/** Levels that a sync body may nest, its payloads' own limit being far below. */
export const MAX_SYNC_DEPTH = 1_000;

export const checkSyncBody = (body: unknown): void => {
  if (isDeeperThan(body, MAX_SYNC_DEPTH)) throw tooDeep(MAX_SYNC_DEPTH);
};

export const tooDeep = (levels: number): Refusal =>
  new Refusal("malformed", `The body nests deeper than ${levels} levels.`);
