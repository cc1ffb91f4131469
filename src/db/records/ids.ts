import type { Instant } from "../../domain/base/instant.ts";

/** An id made by the server: UUIDv7, in the order of time. */
export const newId = (now: Instant): string => Bun.randomUUIDv7("hex", now);
