import { Refusal } from "../../domain/base/refusal.ts";
import type { HeldBody } from "../../server/checks/body.ts";
import type { Clock } from "../../domain/base/instant.ts";

/** The fields of a form as they were typed. If a field was sent twice, the last one counts. */
export type Form = ReadonlyMap<string, string>;

/** The problems with a form, by field. `""` stands for the form as a whole. */
export type Problems = Readonly<Record<string, string>>;

export const NO_PROBLEMS: Problems = {};

/** Whether there are no problems. */
export const isEmpty = (problems: Problems): boolean => Object.keys(problems).length === 0;

const EMPTY_FORM: Form = new Map();

/** A field's text; empty if it was not sent. */
export const field = (form: Form, name: string): string => form.get(name) ?? "";

/** The most bytes a form may have, far more than any of ours needs. */
const LARGEST = 64 * 1024;

/** What a POST contains: a form, JSON from our own script, or a file, which its page reads itself. */
export type Body = "file" | "form" | "json";

/**
 * Reads the body of a request, counted in `held`: a form, or JSON from our own script. Refuses a body that is too
 * large, of another type, or one that there is no memory for now.
 */
export const readSent = async (
  request: Request,
  kind: Body,
  held: HeldBody,
): Promise<{ readonly form: Form; readonly json: unknown }> => {
  if (request.method !== "POST") return { form: EMPTY_FORM, json: null };
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== TYPES[kind])
    throw new Refusal("unsupported_type", `This page accepts only ${TYPES[kind]}.`);
  if (kind === "file") return { form: EMPTY_FORM, json: null };
  const text = await readText(request, held).catch(brokenOff);
  if (kind === "json") return { form: EMPTY_FORM, json: parse(text) };
  return { form: new Map(new URLSearchParams(text)), json: null };
};

const TYPES = {
  file: "application/octet-stream",
  form: "application/x-www-form-urlencoded",
  json: "application/json",
} as const;

/** The sender went away. Nobody is left to read the message, but the log should not call it a bug. */
const brokenOff = (error: unknown): never => {
  throw error instanceof Refusal
    ? error
    : new Refusal("malformed", "The form was cut off before its end. Send it again.");
};

const readText = async (request: Request, held: HeldBody): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > LARGEST) throw new Refusal("too_large", "The form is too large.");
    held.add(chunk.length);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal("malformed", "The form is not valid UTF-8.");
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("malformed", "The body is not valid JSON.");
  }
};

/** Values kept for a short time, each under a key that names everything it is bound to. */
export type Pending<T> = {
  /** Keeps a value from now on; `from` is the network address that caused it. */
  readonly put: (key: string, value: T, from: string) => void;
  readonly find: (key: string) => T | null;
  /** Finds the value and removes it, so that nobody gets it again. */
  readonly take: (key: string) => T | null;
};

type Entry<T> = { readonly value: T; readonly from: string; readonly until: number };

/** Anyone can make the server keep values. These are the most in all, and the most from one address. */
const MOST = 10_000;
const SHARE = 100;

/**
 * Keeps values for `lifetime` ms in memory. An address that has used up its share loses its own oldest value,
 * so that one address which keeps asking shuts nobody else out.
 */
export const startPending = <T>(lifetime: number, clock: Clock): Pending<T> => {
  // Both are in the order of insertion, which is also the order of expiry.
  const entries = new Map<string, Entry<T>>();
  const shares = new Map<string, Set<string>>();

  const drop = (key: string): void => {
    const from = entries.get(key)?.from ?? "";
    entries.delete(key);
    shares.get(from)?.delete(key);
    if (shares.get(from)?.size === 0) shares.delete(from);
  };

  const makeRoom = (from: string): void => {
    for (const [key, { until }] of entries) {
      if (until > clock.steady() && entries.size < MOST) break;
      drop(key);
    }
    const own = shares.get(from) ?? new Set();
    for (const key of own) if (own.size >= SHARE) drop(key);
  };

  const find = (key: string): T | null => {
    const entry = entries.get(key);
    return entry && entry.until > clock.steady() ? entry.value : null;
  };

  return {
    put: (key, value, from) => {
      drop(key);
      makeRoom(from);
      entries.set(key, { value, from, until: clock.steady() + lifetime });
      shares.set(from, (shares.get(from) ?? new Set()).add(key));
    },
    find,
    take: (key) => {
      const value = find(key);
      drop(key);
      return value;
    },
  };
};
