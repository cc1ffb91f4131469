import { ipVersion } from "../../domain/base/ip.ts";
import { Refusal } from "../../domain/base/refusal.ts";

/**
 * Refuses a request for a host name that is not this server's (421). With DNS rebinding, a page of another site can
 * point its own name at this address, but the browser then sends that name. It cannot do this with an IP address or
 * `localhost`.
 */
export const checkHost = (headers: Headers, known: ReadonlySet<string>): void => {
  if (isOurHost(headers.get("host"), known)) return;
  throw new Refusal(
    "wrong_host",
    "This server does not answer to that host name. Use localhost or the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS.",
  );
};

const isOurHost = (host: string | null, known: ReadonlySet<string>): boolean => {
  const [, bracketed, plain, port = ""] = HOST.exec(host ?? "") ?? [];
  if (Number(port) > 65_535) return false;
  if (bracketed !== undefined) return ipVersion(bracketed) === 6;
  const name = plain?.toLowerCase() ?? "";
  return name === "localhost" || ipVersion(name) === 4 || known.has(name);
};

/** An IPv6 address, with or without a zone, or a name, with or without the final dot of a full one; and a port. */
const HOST = /^(?:\[([0-9a-fA-F:.]+)(?:%[\w.~-]+)?\]|([^:[\]@/\s,]+?)\.?)(?::(\d{1,5}))?$/;
