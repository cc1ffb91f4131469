import type { Config } from "../../config/config.ts";
import { SECOND } from "../../domain/base/instant.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { checkCertificate } from "../../server/certificate.ts";
import { localAddress } from "../commands/about.ts";
import { keepOffProxies } from "../../server/proxies.ts";
import { type Finding, note, ok, problem } from "./finding.ts";
import { expiryOf, lookFromOutside, type Visit } from "./outside.ts";

/** What a look over the network needs to know. */
export type Asked = Visit & {
  readonly config: Config;
  /** Whether `--trusted-proxies` is set. */
  readonly trustsProxies: boolean;
};

/** Asks the server as its own machine does, and then as a browser extension does at its public address. */
export const lookAtNetwork = async (asked: Asked): Promise<readonly Finding[]> => {
  const { config } = asked;
  const local = await serverAt(localAddress(config));
  const certificate = certificateOf(asked);
  const inside = [local, ...(certificate === null ? [] : [certificate])];
  if (local.state !== "ok") return inside;
  const address = config.publicUrl;
  if (address === null)
    return [
      ...inside,
      config.host === "127.0.0.1" || config.host === "::1"
        ? ok("address", "Only this machine reaches the server.")
        : note(
            "address",
            "Other machines reach the server, but it does not know at which address.",
            "Set --public-url, so that links and sign-ins lead there.",
          ),
    ];
  return [...inside, proxyOf(asked, address), ...(await lookFromOutside(asked, address))];
};

const serverAt = async (address: string): Promise<Finding> => {
  const about = "server";
  keepOffProxies(new URL(address));
  // It is our own address, which a certificate need not name.
  const tls = { rejectUnauthorized: false };
  try {
    const answer = await fetch(`${address}/readyz`, {
      tls,
      signal: AbortSignal.timeout(5 * SECOND),
    });
    const { error } = (await answer.json()) as { readonly error?: string };
    if (answer.status === 200) return ok(about, `The server answers at ${address}.`);
    return problem(
      about,
      `The server at ${address} is not ready: ${error ?? `it answered ${answer.status}.`}`,
      "Look at the disk, and at the server's log.",
    );
  } catch {
    return note(about, `No server answers at ${address}.`, "Start it: docket serve.");
  }
};

const certificateOf = ({ config, now }: Asked): Finding | null => {
  const about = "certificate";
  if (config.tls === null) return null;
  try {
    return expiryOf(about, checkCertificate(config.tls()).getTime(), now);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return problem(about, error.message, "Correct --tls-cert and --tls-key.");
  }
};

const proxyOf = ({ config, trustsProxies }: Asked, address: URL): Finding => {
  const about = "proxy";
  const isBehindOne = address.protocol === "https:" && config.tls === null;
  if (!isBehindOne) return ok(about, "The server serves its public address itself.");
  if (trustsProxies) return ok(about, "A proxy serves the public address, and is trusted.");
  return problem(
    about,
    "A proxy serves the public address, but the server does not trust it: all people seem to have the proxy's address.",
    "Set --trusted-proxies to the proxy's address, such as 127.0.0.1.",
  );
};
