import { isReadable } from "../db/health.ts";
import { Refusal } from "../refusal.ts";
import type { Ask } from "./ask.ts";
import { json, type Reply } from "../door/reply.ts";

/** `GET /healthz`: the process answers. */
export const getHealth = (): Reply => json({ status: "ok" });

/** `GET /readyz`: the data can be read too. */
export const getReadiness = async ({ store }: Ask): Promise<Reply> => {
  if (!(await isReadable(store)))
    throw new Refusal("unavailable", "The data cannot be read right now.", { "retry-after": "5" });
  return json({ status: "ready" });
};
