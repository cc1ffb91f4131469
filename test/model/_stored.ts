import { eq } from "drizzle-orm";
import { session } from "../../src/db/schema.ts";
import type { Which } from "../_histories.ts";
import type { Inside } from "../_world.ts";
import type { ModelAck } from "./_acks.ts";

/** What the server wrote down of a device's ack. */
export const storedAck = (inside: Inside, which: Which): Pick<ModelAck, "given" | "since"> => {
  const row = inside
    .store()
    .reader.select()
    .from(session)
    .where(eq(session.id, inside.sessionOf(which)))
    .get();
  const issued = JSON.parse(row?.issued ?? "[]") as { time: number; at: number; partial?: true }[];
  const given = issued.map(({ time, at, partial }) => ({ time, at, whole: partial !== true }));
  return { since: row?.ack ?? null, given };
};
