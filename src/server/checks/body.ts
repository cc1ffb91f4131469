import { MAX_DEPTH } from "../../domain/base/payload.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { letOthersGoOn } from "../../domain/base/breathe.ts";
import { hasCollisions, type Measure, measureJson } from "./values.ts";

/** The limits on an endpoint's body. */
export type BodyRules = {
  /** `rest`, `mcp`: the whole body is checked. `sync`: each record in it is checked on its own. */
  readonly rules: "mcp" | "rest" | "sync";
  /** The largest body accepted, in bytes. */
  readonly maxBody: number;
  /** The sentence of the 413 for a larger body. It says what to do. */
  readonly tooLarge: string;
};

/**
 * Returns the bytes of a JSON body, counted in `held`. Refuses another type (415), a body over `maxBody` (413), and one
 * for which there is no memory now (503). Elysia's own parsers are not used: they accept forms as JSON, ignore
 * `charset`, and read the body before its size can be checked.
 */
export const readBody = async (
  request: Request,
  route: BodyRules,
  held: HeldBody,
): Promise<Uint8Array> => {
  checkType(request.headers, JSON_BODY);
  return readBytes(request, route, held).catch(brokenOff);
};

/**
 * Parses a JSON body. Refuses one that is nested too deeply (400) or has too many values (413), one whose texts are
 * made to collide (400), and one that is not UTF-8 or not JSON (400).
 */
export const parseJson = (bytes: Uint8Array, route: BodyRules): unknown => {
  checkMeasure(bytes, route);
  refuseCollisions(bytes);
  return parse(decode(bytes));
};

/** In bytes. Of a longer body, each step takes so long that others go on before the next. */
const LONG_BODY = 256 * 1024;

/** The same as `parseJson`, but others go on between its steps. */
export const parseLongJson = async (bytes: Uint8Array, route: BodyRules): Promise<unknown> => {
  if (bytes.length < LONG_BODY) return parseJson(bytes, route);
  checkMeasure(bytes, route);
  await letOthersGoOn();
  refuseCollisions(bytes);
  await letOthersGoOn();
  const body = parse(decode(bytes));
  await letOthersGoOn();
  return body;
};

const refuseCollisions = (bytes: Uint8Array): void => {
  if (hasCollisions(bytes))
    throw new Refusal(
      "malformed",
      "The body has too many texts that share a hash, which would slow the server down. Send other texts.",
    );
};

/** Reads the form of an OAuth request. Its refusals carry the code `invalid_request` (RFC 6749, section 5.2). */
export const readForm = async (
  request: Request,
  route: BodyRules,
  held: HeldBody,
): Promise<URLSearchParams> => {
  try {
    checkType(request.headers, FORM_BODY);
    return new URLSearchParams(decode(await readBytes(request, route, held, 0).catch(brokenOff)));
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === "unavailable") throw error;
    throw new Refusal(error.reason, error.sentence, error.headers, "invalid_request");
  }
};

/**
 * Runs before parsing: a body of nothing but brackets or commas would keep `JSON.parse` busy, and fill the memory,
 * for many seconds.
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

/**
 * No call needs more than 2,000 values. MCP's own checks take about 3 µs for each, so others would wait for many. Over
 * REST, a task may be sent back as it was read, with 2,500 tabs. Sync allows more, because the payloads in it are opaque
 * and have limits of their own, checked record by record.
 */
const MOST: Readonly<Record<BodyRules["rules"], Measure>> = {
  mcp: { depth: MAX_DEPTH, values: 5_000 },
  rest: { depth: MAX_DEPTH, values: 10_000 },
  sync: { depth: 1_000, values: 500_000 },
};

type BodyType = { readonly pattern: RegExp; readonly wanted: string };

/** Never a form: a page of another origin can send a form without a CORS preflight. */
const JSON_BODY: BodyType = {
  pattern: /^\s*application\/([\w.-]+\+)?json\s*$/i,
  wanted: "Send the body as JSON, with Content-Type: application/json.",
};
const FORM_BODY: BodyType = {
  pattern: /^\s*application\/x-www-form-urlencoded\s*$/i,
  wanted: "Send the body as a form, with Content-Type: application/x-www-form-urlencoded.",
};

/** Refuses a body of another type, in a charset other than UTF-8, or compressed (415). */
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

/**
 * In bytes. A shorter body of someone who is known is counted as a whole before it arrives: reading it in pieces takes
 * longer. A stranger could announce many and send nothing.
 */
const SHORT_BODY = 64 * 1024;

/**
 * Refuses a body that announces too great a length before reading it. Counts a long one, and one without an announced
 * length, while it arrives.
 */
const readBytes = async (
  request: Request,
  rules: BodyRules,
  held: HeldBody,
  short = SHORT_BODY,
): Promise<Uint8Array> => {
  const announced = request.headers.get("content-length");
  if (announced === null) return readChunks(request, rules, held);
  const length = Number(announced);
  if (length > rules.maxBody) throw new Refusal("too_large", rules.tooLarge);
  if (length > short) {
    held.expect(length);
    return readChunks(request, rules, held);
  }
  held.add(length);
  return new Uint8Array(await request.arrayBuffer());
};

const readChunks = async (
  request: Request,
  { maxBody, tooLarge }: BodyRules,
  held: HeldBody,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBody) throw new Refusal("too_large", tooLarge);
    held.add(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

/**
 * The client went away in the middle of the body. Nobody will read the reply, but a refusal keeps the log from
 * calling it a bug.
 */
const brokenOff = (error: unknown): never => {
  throw error instanceof Refusal
    ? error
    : new Refusal("malformed", "The body ended too early. Send the whole request again.");
};

/** Drops a byte order mark. */
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

/** The memory for the bodies of all requests in progress, together. */
export type BodyMemory = {
  /** Starts to count a body of this sender. */
  readonly hold: (sender: Sender) => HeldBody;
};

/** Whose share a body takes: an account's, or, of a caller without one, that of the network that it comes from. */
export type Sender = { readonly accountId: number } | { readonly network: string };

/** One request's share. */
export type HeldBody = {
  /** Refuses (503) a body of that many bytes if there is no room for it now. Counts nothing yet. */
  readonly expect: (bytes: number) => void;
  /** Counts bytes that have arrived. Refuses (503) what there is no room for. */
  readonly add: (bytes: number) => void;
  /** Gives everything back. Harmless if called again. */
  readonly release: () => void;
};

/**
 * Bounds what all bodies take to `limit` bytes. Those of one account have half of that, those of all strangers together
 * have half, and those from one network an eighth, so that one caller with unfinished bodies does not turn the others
 * away. Bytes of a long body or a stranger's count once they have arrived: an announced length alone takes no memory.
 */
export const startBodyMemory = (limit: number): BodyMemory => {
  let used = 0;
  const usedBy = new Map<number | string, number>();
  return {
    hold: (sender) => {
      const shares = sharesOf(sender, limit);
      let held = 0;
      const expect = (bytes: number): void => {
        const rooms = shares.map(([name, most]) => most - (usedBy.get(name) ?? 0));
        if (bytes > Math.min(limit - used, ...rooms)) throw tooBusy();
      };
      const count = (bytes: number): void => {
        used += bytes;
        held += bytes;
        for (const [name] of shares) {
          const taken = (usedBy.get(name) ?? 0) + bytes;
          if (taken === 0) usedBy.delete(name);
          else usedBy.set(name, taken);
        }
      };
      return {
        expect,
        add: (bytes) => {
          expect(bytes);
          count(bytes);
        },
        release: () => count(-held),
      };
    },
  };
};

/** By name, the most bytes that all bodies of that name may take together. No network is called `""`. */
const sharesOf = (
  sender: Sender,
  limit: number,
): readonly (readonly [number | string, number])[] =>
  "accountId" in sender
    ? [[sender.accountId, Math.floor(limit / 2)]]
    : [
        ["", Math.floor(limit / 2)],
        [`from ${sender.network}`, Math.floor(limit / 8)],
      ];

const tooBusy = (): Refusal =>
  new Refusal(
    "unavailable",
    "The server is receiving too much at once. Nothing was changed. Try again in a few seconds.",
    { "retry-after": "2" },
  );
