import { isReadable, isWritable } from "../db/sqlite/health.ts";
import { Refusal } from "../domain/base/refusal.ts";
import type { ApiContext } from "./context.ts";
import { json, type Reply } from "../server/reply.ts";

/** `GET /healthz`: 200 as long as the process runs. */
export const getHealth = (): Reply => json({ status: "ok" });

/** `GET /readyz`: 200 if the database can be read and written, otherwise 503. */
export const getReadiness = async ({ store }: ApiContext): Promise<Reply> => {
  if (!(await isReadable(store))) throw unready("The database cannot be read right now.");
  if (!(await isWritable(store)))
    throw unready("The database can be read right now, but not written.");
  return json({ status: "ready" });
};

const unready = (message: string): Refusal =>
  new Refusal("unavailable", message, { "retry-after": "5" });
