import type { Instant } from "../../domain/base/instant.ts";

/** Returns a new id: a UUIDv7, which sorts by time. */
export const newId = (now: Instant): string => Bun.randomUUIDv7("hex", now);
