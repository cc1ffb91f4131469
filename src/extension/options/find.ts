import { isObject } from "../../domain/base/payload.ts";

/** Where a server on the same computer is, unless its owner has chosen another port. */
const HERE = "http://localhost:3625";

/** In ms. What is on the same computer answers at once, or not at all. */
const LONGEST = 2_000;

/**
 * Returns the address of a Docket server on this computer; null if none answers there. It needs no permission: a server lets
 * every page read what it says of its health.
 */
export const findServer = async (): Promise<string | null> => {
  try {
    const signal = AbortSignal.timeout(LONGEST);
    const reply = await fetch(`${HERE}/healthz`, {
      credentials: "omit",
      cache: "no-store",
      signal,
    });
    const said = (await reply.json()) as unknown;
    return reply.ok && isObject(said) && said["status"] === "ok" ? HERE : null;
  } catch {
    return null;
  }
};
