import { formatInstant, parseInstant } from "../domain/base/instant.ts";
import { invalid } from "../domain/base/refusal.ts";
import { OTHER_DEVICE } from "./account.ts";

/** Sends a request to the server inside the sandbox. */
export type Send = (request: Request) => Promise<Response>;

/**
 * Makes every record of a push stale: before the server sees the push, another device of the sandbox's owner changes
 * the same records a millisecond later. So the rejection is the server's own, and the next pull brings the same rows.
 */
export const makeStale = async (request: Request, send: Send): Promise<void> => {
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "POST" || !pathname.endsWith("/sync"))
    throw invalid("Docket-Sandbox: stale is for POST /sync only.");
  const records: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  if (!Array.isArray(records)) return;
  const reply = await send(
    new Request(origin + pathname, {
      method: "POST",
      headers: {
        authorization: `Bearer ${OTHER_DEVICE}`,
        "content-type": "application/json",
        host: request.headers.get("host") ?? "",
      },
      body: JSON.stringify(records.flatMap(changedElsewhere)),
    }),
  );
  await reply.arrayBuffer();
};

const changedElsewhere = (record: unknown): readonly object[] => {
  const { table, id, updated_at, payload } = fields(record);
  const time = typeof updated_at === "string" ? parseInstant(updated_at) : null;
  if (time === null) return [];
  const title = "Changed on another device";
  return [
    {
      table,
      id,
      updated_at: formatInstant(time + 1),
      payload: { ...fields(payload), ...(table === "sync_tasks" ? { title } : { name: title }) },
    },
  ];
};

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
