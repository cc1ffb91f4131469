import { printableJson, UNPRINTABLE, shortenedTo } from "../domain/base/text.ts";
import type { Instant } from "../domain/base/instant.ts";

export type LogFormat = "json" | "off" | "pretty";

type Fields = Readonly<Record<string, boolean | number | string | null>>;

/** The log that the server's owner reads. Its lines never contain a secret, a body or a query. */
export type Log = {
  readonly request: (fields: RequestFields) => void;
  readonly failedSignIn: (attempt: FailedSignIn) => void;
  readonly info: (message: string, fields: Fields) => void;
  readonly warn: (message: string, fields?: Fields) => void;
  readonly error: (message: string, cause: unknown, fields?: Fields) => void;
  /** The last warnings and errors since the start, newest first. Failed sign-ins, which anyone can cause, are left out. */
  readonly recent: () => readonly Warning[];
};

/** A warning or an error, in words for the server's owner. */
export type Warning = {
  readonly at: Instant;
  readonly level: "error" | "warn";
  readonly text: string;
};

/** An attempt to prove who one is that failed, in the terms of a program that bans addresses. */
export type FailedSignIn = {
  readonly address: string;
  readonly by: "OpenID" | "authorization-code" | "code" | "pairing-code" | "passkey" | "password";
  /** The e-mail address that was typed, or that of whoever was signed in. Null if the attempt names none. */
  readonly account: string | null;
  /** `throttled`: too many attempts before it, so nothing was checked. */
  readonly because: "refused" | "throttled";
};

type RequestFields = {
  readonly requestId: string;
  readonly method: string;
  /** The template of the path. Lines of the log have the path itself. */
  readonly route?: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** `key NAME` or `session NAME`. Null if no credential was accepted. */
  readonly caller: string | null;
  /** The client's network address, of requests whose credential was not accepted. */
  readonly address?: string;
};

/** In characters. Callers choose their paths, and must not fill the disk with them. */
const LONGEST = 300;
const LONGEST_CAUSE = 8_000;
/** How many warnings the owner's page shows. */
const KEPT = 20;

/** Returns a log that passes one line per event to `write`, as plain text for people or as a JSON object. */
export const startLog = (
  format: LogFormat,
  write: (line: string) => void,
  wall: () => Date,
): Log => {
  const warnings: Warning[] = [];
  const keep = (level: Warning["level"], message: string, fields: Fields): void => {
    const more = Object.entries(bounded(fields)).map(([name, value]) => `${name}: ${value}`);
    const text = [message, ...more].join("; ").split("\n")[0] ?? "";
    warnings.unshift({ at: wall().getTime(), level, text });
    warnings.length = Math.min(warnings.length, KEPT);
  };
  const line = (level: string, message: string, fields: Fields): void => {
    if (format === "off") return;
    const time = wall().toISOString();
    const bound = bounded(fields);
    write(
      format === "json"
        ? printableJson({ time, level, message, ...bound })
        : pretty(time, level, message, bound),
    );
  };
  return {
    request: ({ requestId, method, path, status, ms, caller, address }) =>
      line("info", "request", {
        requestId,
        method,
        path,
        status,
        ms: Math.round(ms * 10) / 10,
        caller,
        ...(address === undefined ? {} : { address }),
      }),
    // The address first: the account is a stranger's text, and must not pass for it.
    failedSignIn: ({ address, by, because, account }) =>
      line("warn", "failed sign-in", { address, by, because, account }),
    info: (message, fields) => line("info", message, fields),
    warn: (message, fields = {}) => {
      keep("warn", message, fields);
      line("warn", message, fields);
    },
    error: (message, cause, fields = {}) => {
      keep("error", message, {
        ...fields,
        cause: cause instanceof Error ? cause.message : String(cause),
      });
      line("error", message, { ...fields, cause: causeOf(cause) });
    },
    recent: () => [...warnings],
  };
};

const bounded = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string"
        ? shortenedTo(value, name === "cause" ? LONGEST_CAUSE : LONGEST)
        : value,
    ]),
  );

const causeOf = (cause: unknown): string =>
  cause instanceof Error
    ? [cause.stack ?? cause.message, cause.cause ? `caused by ${causeOf(cause.cause)}` : ""]
        .filter(Boolean)
        .join("\n")
    : String(cause);

const pretty = (time: string, level: string, message: string, fields: Fields): string => {
  const { method, path, status, ms, caller, requestId: _id, cause, ...others } = fields;
  const what =
    message === "request" ? `${status} ${method} ${path} ${ms} ms ${caller ?? "-"}` : message;
  const rest = Object.entries(others).map(([name, value]) => `${name}=${value}`);
  const parts = [time.slice(11, 23), level === "info" ? "" : level, what, ...rest].filter(Boolean);
  const causes = cause === undefined ? [] : `cause=${cause}`.split("\n");
  // Only a cause may span several lines. They are indented, so that none can pass for a log line of its own.
  return [parts.join(" "), ...causes].map(sanitise).join("\n  ");
};

/** Writes control characters and line separators as escapes, because text from outside must not control a terminal. */
const sanitise = (text: string): string =>
  text.replaceAll(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
