import { MAX_DEPTH } from "../../domain/base/payload.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { type Measure, measureJson } from "./measure.ts";

/** What an endpoint takes as a body. */
export type BodyRules = {
  /** Which rules a body is under: REST's own, or those of sync, whose records are judged one by one. */
  readonly rules: "rest" | "sync";
  /** Bytes that a body may have. */
  readonly maxBody: number;
  /** What of a body is too large: what to do about it. */
  readonly tooLarge: string;
};

/**
 * Reads a body that is to be JSON: type, size. Elysia's own parsers are not used: they take
 * forms for JSON, ignore `charset` and read before they ask how much comes.
 */
export const readBody = async (request: Request, route: BodyRules): Promise<Uint8Array> => {
  checkType(request.headers, JSON_BODY);
  return readBytes(request, route).catch(brokenOff);
};

/** Parses a body: what it costs, UTF-8, JSON, in this order. */
export const parseJson = (bytes: Uint8Array, route: BodyRules): unknown => {
  checkMeasure(bytes, route);
  return parse(decode(bytes));
};

/** Reads a form, as OAuth has it. What is wrong with it is told in OAuth's way too (RFC 6749, 5.2). */
export const readForm = async (request: Request, route: BodyRules): Promise<URLSearchParams> => {
  try {
    checkType(request.headers, FORM_BODY);
    return new URLSearchParams(decode(await readBytes(request, route).catch(brokenOff)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.reason, error.sentence, error.headers, "invalid_request");
  }
};

/**
 * Before it is parsed: a body of nothing but brackets or commas would hold the server, and fill its
 * memory, for many seconds.
 */
const checkMeasure = (bytes: Uint8Array, { rules }: BodyRules): void => {
  const most = MOST[rules];
  const { depth, values } = measureJson(bytes, most);
  if (depth > most.depth)
    throw new Refusal(
      "malformed",
      `The body must not be nested more than ${most.depth} levels deep.`,
    );
  if (values > most.values)
    throw new Refusal(
      "too_large",
      `The body must contain at most ${most.values} values. Send less at a time.`,
    );
};

/** A sync body holds opaque payloads, whose own limits are judged record by record. */
const MOST: Readonly<Record<BodyRules["rules"], Measure>> = {
  rest: { depth: MAX_DEPTH, values: 100_000 },
  sync: { depth: 1_000, values: 2_000_000 },
};

type BodyType = { readonly pattern: RegExp; readonly wanted: string };

/** A form is not JSON: a page of another origin could send one. */
const JSON_BODY: BodyType = {
  pattern: /^\s*application\/([\w.-]+\+)?json\s*$/i,
  wanted: "Send the body as JSON, with Content-Type: application/json.",
};
const FORM_BODY: BodyType = {
  pattern: /^\s*application\/x-www-form-urlencoded\s*$/i,
  wanted: "Send the body as a form, with Content-Type: application/x-www-form-urlencoded.",
};

/** The type that is wanted, in UTF-8, not compressed. */
const checkType = (headers: Headers, { pattern, wanted }: BodyType): void => {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").split(";");
  if (!pattern.test(type)) throw new Refusal("unsupported_type", wanted);
  const charsets = parameters
    .map((text) => text.trim().toLowerCase())
    .filter((text) => text.startsWith("charset="));
  if (!charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset)))
    throw new Refusal("unsupported_type", "Send the body in UTF-8.");
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity")
    throw new Refusal("unsupported_type", "Send the body without Content-Encoding.");
};

/** Refuses by the announced length before reading, and by counting where none is announced. */
const readBytes = async (
  request: Request,
  { maxBody, tooLarge }: BodyRules,
): Promise<Uint8Array> => {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    if (Number(announced) > maxBody) throw new Refusal("too_large", tooLarge);
    return new Uint8Array(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBody) throw new Refusal("too_large", tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** The sender went away. Nobody is left to be told, but the log should not call it a bug. */
const brokenOff = (error: unknown): never => {
  throw error instanceof Refusal
    ? error
    : new Refusal("malformed", "The body ended too early. Send the whole request again.");
};

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("malformed", "The body is not valid UTF-8.");
  }
};

const parse = (text: string): unknown => {
  if (text.trim() === "") throw new Refusal("malformed", "The body is empty. Send JSON.");
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("malformed", "The body is not valid JSON.");
  }
};
