export type LogFormat = "json" | "off" | "pretty";

type Fields = Readonly<Record<string, boolean | number | string | null>>;

/** The log that the server's owner reads. Its lines never contain a secret, a body or a query. */
export type Log = {
  readonly request: (fields: RequestFields) => void;
  readonly warn: (message: string, fields?: Fields) => void;
  readonly error: (message: string, cause: unknown, fields?: Fields) => void;
};

type RequestFields = {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** `key NAME` or `session NAME`. Null if no credential was accepted. */
  readonly caller: string | null;
};

/** Returns a log that passes one line per event to `write`, as plain text for people or as a JSON object. */
export const startLog = (
  format: LogFormat,
  write: (line: string) => void,
  wall: () => Date,
): Log => {
  const line = (level: string, message: string, fields: Fields): void => {
    if (format === "off") return;
    const time = wall().toISOString();
    write(
      format === "json"
        ? JSON.stringify({ time, level, message, ...fields })
        : pretty(time, level, message, fields),
    );
  };
  return {
    request: ({ requestId, method, path, status, ms, caller }) =>
      line("info", "request", {
        requestId,
        method,
        path,
        status,
        ms: Math.round(ms * 10) / 10,
        caller,
      }),
    warn: (message, fields = {}) => line("warn", message, fields),
    error: (message, cause, fields = {}) =>
      line("error", message, { ...fields, cause: causeOf(cause) }),
  };
};

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

/** Writes control characters as escapes, because text from outside must not control a terminal. */
const sanitise = (text: string): string =>
  text.replaceAll(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
