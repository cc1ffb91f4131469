import { Refusal } from "../../domain/base/refusal.ts";
import { UnusableDatabase } from "../unusable.ts";

/** Connections that broke, the server's resources, its own shutdown, and what the system says of a socket. */
const FAULT = /^(08|53|57|58|25006)|^E[A-Z]+$/;

/** How many connections a server that works may hold: see driver.ts. */
export const CONNECTIONS = 11;

/** What OpenSSL says of a certificate that it does not accept. */
const CERTIFICATE = /CERT|SIGNATURE|^ERR_TLS/;

/** Returns PostgreSQL's code of an error, such as `23505`; empty if it is not PostgreSQL's. */
const postgresCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return own === "" ? postgresCode(error.cause) : own;
};

/** Another server works on the database now. */
export class NotLeading extends Error {}

/** Whether the database failed, or cannot be reached, rather than the program. */
export const isFault = (error: unknown): boolean => {
  if (error instanceof Refusal) return false;
  const code = postgresCode(error);
  return (
    error instanceof NotLeading ||
    FAULT.test(code) ||
    CERTIFICATE.test(code) ||
    (error instanceof Error && /timeout|terminated|Connection/i.test(error.message))
  );
};

const LATER = { "retry-after": "5" };

const refusal = (sentence: string, cause: unknown): Refusal => {
  const made = new Refusal("unavailable", sentence, LATER);
  made.cause = cause;
  return made;
};

/**
 * Turns a failed write into a refusal that says so. Returns any other error unchanged. If it failed while it was being
 * committed, nobody knows whether it was.
 */
export const writeRefusal = (error: unknown, isCommitting: boolean): unknown => {
  if (!isFault(error)) return error;
  return refusal(
    isCommitting ? UNKNOWN : "The server cannot write to its database right now. Try again later.",
    error,
  );
};

const UNKNOWN =
  "The connection to the database broke while this was being stored, so it may be stored or not. Look first, or send it again with the same Idempotency-Key.";

/** Turns a failed read into a refusal that says so. Returns null for any other error. */
export const readRefusal = (error: unknown): Refusal | null =>
  isFault(error)
    ? refusal("The server cannot read its database right now. Try again later.", error)
    : null;

/** Returns a log line that tells the server's owner what to do, or null for any other error. */
export const faultLine = (error: unknown): string | null =>
  isFault(error)
    ? "the database failed or could not be reached: check that PostgreSQL runs and its log"
    : null;

/** What an error at the start says to the person who starts the server. Returns any other error unchanged. */
export const whyUnusable = (error: unknown, url: string): unknown => {
  const [code, address] = [postgresCode(error), new URL(url)];
  const sentence = tlsSentence(error, code, address) ?? sentenceFor(code, address);
  return sentence === null || error instanceof UnusableDatabase
    ? error
    : new UnusableDatabase(sentence, { cause: error });
};

const tlsSentence = (error: unknown, code: string, { hostname }: URL): string | null => {
  if (CERTIFICATE.test(code))
    return (
      `The certificate that PostgreSQL shows as ${hostname} is not accepted (${code}). Name in --database the file of who signed it, ` +
      "and the machine as the certificate does: postgres://…@NAME/docket?sslmode=verify-full&sslrootcert=/etc/docket/ca.pem"
    );
  if (error instanceof Error && error.message.includes("does not support SSL"))
    return `PostgreSQL at ${hostname} speaks no TLS. Set ssl = on there, or leave sslmode out of --database.`;
  if (code === "ENOENT" && error instanceof Error && error.message.includes("open '"))
    return `A file that --database names cannot be read. (${error.message})`;
  return null;
};

const sentenceFor = (code: string, { hostname, port, username, pathname }: URL): string | null => {
  const place = `${hostname || "localhost"}:${port || "5432"}`;
  const name = decodeURIComponent(pathname.slice(1));
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `There is no machine named ${hostname}. Check the address in --database.`;
    case "ECONNREFUSED":
    case "ECONNRESET":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ENOENT":
    case "ETIMEDOUT":
      return `PostgreSQL cannot be reached at ${place}. Check that it runs there, that it listens on that address, and the firewall.`;
    case "28P01":
    case "28000":
      return `PostgreSQL does not let ${decodeURIComponent(username) || "this user"} in. Check the user name and the password in --database, and pg_hba.conf: it may ask for TLS (?sslmode=verify-full).`;
    case "3D000":
      return `There is no database named ${name}. Create it with: createdb --encoding=UTF8 --template=template0 ${name}`;
    case "42501":
      return `${decodeURIComponent(username) || "This user"} may not create tables in the database ${name}. Make it the owner: alter database ${name} owner to ${decodeURIComponent(username)}`;
    case "53300":
      return `PostgreSQL has no connection left. A server of Docket needs ${CONNECTIONS}: raise max_connections, or end other programs.`;
    case "57P03":
      return "PostgreSQL is starting up or shutting down. Try again in a moment.";
    case "08P01":
      return `What answers at ${place} does not take the settings of a connection, as a pooler does not. Connect Docket to PostgreSQL itself: it holds few connections, and needs its own.`;
    case "25006":
      return "This database is read-only. Give the address of the primary.";
    default:
      return null;
  }
};
