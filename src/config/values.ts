import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import {
  hostName,
  isLoopback,
  oneOf,
  UsageError,
  webAddress,
  wholeNumber,
} from "../domain/base/usage.ts";
import type { S3Settings } from "../server/bucket.ts";
import type { LogFormat } from "../server/log.ts";
import type { OpenIdSettings } from "../server/service.ts";
import type { Environment, SettingName } from "./settings.ts";

// What the text of single settings says. Each throws `UsageError` for one that cannot be used.

/** Checks the address of a PostgreSQL database. Throws `UsageError`. */
export const databaseAddress = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const url = secretAddress(text);
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return text;
  throw new UsageError(
    `database must be the address of a PostgreSQL database, such as postgres://docket:password@db.example.org/docket. ${SIGNS}`,
  );
};

/** Returns null for text that is no address, or that has a % which begins no code. It may hold a password, so no refusal repeats it. */
const secretAddress = (text: string): URL | null => {
  try {
    decodeURIComponent(text);
    const url = URL.parse(text);
    // Of the password 1/b, the 1 would be taken for a port, and the b for the path.
    return url?.username === "" && url.pathname.includes("@") ? null : url;
  } catch {
    return null;
  }
};

const SIGNS = "Write / ? # @ and % in a password or secret as %2F %3F %23 %40 and %25.";

export type MetricsAddress = { readonly host: string; readonly port: number };

export const defaultDirectory = (environment: Environment): string => {
  const base = environment["XDG_DATA_HOME"];
  return join(base && isAbsolute(base) ? base : join(homedir(), ".local", "share"), "docket");
};

/** PostgreSQL has its own copies, made with its own programs. */
export const backupDirectory = (
  text: string | undefined,
  data: string,
  database: string | null,
): string | null => {
  if (text === "off") return null;
  if (database === null) return resolve(text ?? join(data, "backups"));
  if (text === undefined) return null;
  throw new UsageError(
    "backups is for the embedded database. PostgreSQL is backed up with its own programs: leave the setting out.",
  );
};

export const bucketAt = (text: string | undefined): S3Settings | null => {
  if (text === undefined) return null;
  const url = secretAddress(text);
  const [bucket = "", ...names] = url?.pathname.split("/").filter(Boolean) ?? [];
  if (!url || !/^https?:$/.test(url.protocol) || bucket === "" || !url.username || !url.password)
    throw new UsageError(
      `backups-s3 must be an address with a key, a secret and a bucket, such as https://KEY:SECRET@s3.example.org/bucket. ${SIGNS}`,
    );
  return {
    endpoint: url.origin,
    bucket,
    prefix: names.join("/"),
    region: url.searchParams.get("region"),
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
};

export const metricsAddress = (text: string | undefined): MetricsAddress | null => {
  if (text === undefined) return null;
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (host !== "")
    return { host: hostName("metrics", host), port: wholeNumber("metrics", port, 0, 65_535) };
  throw new UsageError("metrics must be an address with a port, such as 127.0.0.1:9362.");
};

export const logFormat = (text: string | undefined): LogFormat | null =>
  text === undefined ? null : oneOf("log", text, ["pretty", "json", "off"]);

/**
 * Docket always serves from the root of its address. Links would leave out a path, so a public URL
 * with a path is refused, as is a host that no browser sends.
 */
export const publicAddress = (text: string | undefined): URL | null => {
  const url = webAddress("public-url", text);
  if (url === null) return null;
  hostName("public-url", url.hostname);
  if (url.href === `${url.origin}/`) return url;
  throw new UsageError(`public-url must be an address without a path, such as ${url.origin}.`);
};

export const openIdProvider = (
  read: (name: SettingName) => string | undefined,
): OpenIdSettings | null => {
  const issuer = webAddress("oidc-issuer", read("oidc-issuer"));
  const [clientId, clientSecret] = [read("oidc-client-id"), read("oidc-client-secret")];
  if (!issuer && clientId === undefined && clientSecret === undefined) return null;
  if (!issuer || clientId === undefined || clientSecret === undefined)
    throw new UsageError(
      "oidc-issuer, oidc-client-id and oidc-client-secret belong together. Set all three.",
    );
  if (issuer.protocol !== "https:" && !isLoopback(issuer.hostname))
    throw new UsageError("oidc-issuer must be an https:// address unless it is on this machine.");
  const plain = issuer.origin + issuer.pathname;
  if (issuer.href !== plain)
    throw new UsageError(
      `oidc-issuer must be an address without a password, a query or a fragment, such as ${plain}.`,
    );
  return { issuer, clientId, clientSecret };
};
