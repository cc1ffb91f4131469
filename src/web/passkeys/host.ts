import { passkeyHost } from "../../domain/people/passkey.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import type { PageContext } from "../shared/page.ts";

/** The host name for passkeys created here. Refused where browsers do not create any. */
export const hostHere = ({ origin }: PageContext): string => {
  const host = passkeyHost(origin);
  if (host !== null) return host;
  throw invalid(
    "Passkeys work only over https with a host name, or on localhost. They do not work at this address.",
  );
};

/** The same page at an address of this server where passkeys work; null if there is none. */
export const passkeyAddress = ({ origin, service }: PageContext, path: string): string | null => {
  const { publicUrl } = service.settings;
  const secure = publicUrl?.protocol === "https:";
  if (publicUrl && passkeyHost({ hostname: publicUrl.hostname, secure }) !== null)
    return publicUrl.origin + path;
  if (!isLoopback(origin.hostname)) return null;
  const port = origin.port === "" ? "" : `:${origin.port}`;
  return `${origin.secure ? "https" : "http"}://localhost${port}${path}`;
};
