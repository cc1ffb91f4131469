import { SECOND } from "../../domain/base/instant.ts";
import { Broken, Skipped } from "./faults.ts";
import type { Address } from "./address.ts";

/** Who calls: nobody has no credential; the reader's key has only the scope `read`, the writer's only `write`. */
export type Who = "key" | "nobody" | "reader" | "session" | "writer";

export type Tokens = Readonly<Partial<Record<Who, string>>>;

export type RequestParts = {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns a 429 instead of waiting for the key's rate limit. */
  readonly impatient?: boolean;
};

export type Answer = {
  /** The request, for messages: `GET /me`. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
};

/** Sends a request. The path is relative to the API's base address, or to the server's own if it begins with `!`. */
export type Call = (
  who: Who,
  method: string,
  path: string,
  asked?: RequestParts,
) => Promise<Answer>;

/** In ms. */
const PATIENCE = 30 * SECOND;
/** In seconds: a key that has used up its minute is not refused for longer. */
const LONGEST_WAIT = 61;

/** Throws what `fetch` throws, if no reply arrives. */
export const send = async (
  { root, base }: Address,
  token: string | undefined,
  method: string,
  path: string,
  {
    body,
    text = body === undefined ? undefined : JSON.stringify(body),
    headers,
  }: RequestParts = {},
): Promise<Answer> => {
  const response = await fetch(path.startsWith("!") ? root + path.slice(1) : base + path, {
    method,
    // The credentials are meant for this one address.
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const reply = await response.text();
  const request = `${method} ${path.replace(/^!/, "")}`;
  const { status } = response;
  return { request, status, headers: response.headers, text: reply, json: parsed(reply) };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Calls the server with these tokens. A key that has used up its minute waits for it; `say` tells the person so. */
export const callerOf = (address: Address, tokens: Tokens, say: (line: string) => void): Call => {
  const call: Call = async (who, method, path, asked = {}) => {
    const answer = await send(address, tokens[who], method, path, asked).catch((error: unknown) => {
      throw new Broken(`${method} ${path} got no whole reply (${codeOf(error)}).`);
    });
    const seconds = Number(answer.headers.get("retry-after") ?? "x");
    const waits = who !== "session" && answer.status === 429 && seconds > 0;
    if (!waits || asked.impatient) return answer;
    if (seconds > LONGEST_WAIT)
      throw new Skipped(`The rate limit refuses this API key for ${seconds} s. Use another key.`);
    say(`The API key has used up its minute. Waiting ${seconds} s.`);
    await Bun.sleep(seconds * SECOND);
    return call(who, method, path, { ...asked, impatient: true });
  };
  return call;
};

export const codeOf = (error: unknown): string =>
  error instanceof Error ? ("code" in error ? String(error.code) : error.name) : String(error);
