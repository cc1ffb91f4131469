import { errorBody, statusOf } from "../../door/refusals.ts";
import { Refusal } from "../../refusal.ts";
import type { Ask } from "../ask.ts";
import { type PageReply, scriptReply } from "../reply.tsx";

/** A handler for our own script. Sends refusals as JSON, which the script shows on the page. */
export const forScript =
  <Asked extends Ask>(handle: (ask: Asked) => Promise<PageReply>) =>
  async (ask: Asked): Promise<PageReply> => {
    try {
      return await handle(ask);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...scriptReply(null), status: statusOf(error), body: errorBody(error) };
    }
  };

/** A part of what the script sent; undefined if it is missing. */
export const part = (json: unknown, name: string): unknown =>
  typeof json === "object" && json !== null && Object.hasOwn(json, name)
    ? (json as Readonly<Record<string, unknown>>)[name]
    : undefined;

export const textPart = (json: unknown, name: string): string => {
  const value = part(json, name);
  return typeof value === "string" ? value : "";
};
