import { errorReply, refused } from "../../server/refusals.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { PageContext } from "../shared/page.ts";
import { type PageReply, scriptReply } from "../shared/reply.tsx";

/** A handler for our own script. Sends refusals as JSON, which the script shows on the page. */
export const forScript =
  <Given extends PageContext>(handle: (context: Given) => Promise<PageReply>) =>
  async (context: Given): Promise<PageReply> => {
    try {
      return await handle(context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = refused(error);
      return { ...scriptReply(null), status: failure.status, body: errorReply(failure).body };
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
