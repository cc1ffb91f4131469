import { Garbage, readError } from "./wire.ts";

/** How the core calls the public API. See `ClientOptions`. */
export type Request = (path: string, init: RequestInit) => Promise<Response>;

/** Why a call failed. */
export type Failure =
  | { readonly kind: "offline" }
  | { readonly kind: "signed-out" }
  /** The request was too large. */
  | { readonly kind: "too-large"; readonly sentence: string }
  | Problem;

/** `waitFor` are the milliseconds that the server asked to wait. `isProxy`: a proxy asks for a sign-in of its own. */
type Problem = {
  readonly kind: "problem";
  readonly sentence: string;
  readonly waitFor: number;
  readonly isProxy?: boolean;
};

export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Longer than any reply takes. Without an end, a call whose connection died silently would wait for ever. */
const LONGEST = 120_000;

/** Calls the API and reads the reply as JSON. Throws a `CallFailed` for anything else than a good reply. */
export const ask = async <T>(
  request: Request,
  path: string,
  init: RequestInit,
  read: (json: unknown) => T,
  signal: AbortSignal,
): Promise<T> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]);
  const answer = async () => {
    const response = await request(path, { ...init, signal: limit });
    return { response, text: await response.text() };
  };
  const { response, text } = await reached(() => before(limit, answer));
  const json = parsed(text);
  const said = readError(json);
  if (response.type === "opaqueredirect") throw new CallFailed(atProxy(LEADS_ELSEWHERE));
  if (said === null && asksForSignIn(response)) throw new CallFailed(atProxy(OWN_SIGN_IN));
  if (response.status !== 200) throw new CallFailed(failureOf(response, said));
  try {
    return read(json);
  } catch (error) {
    if (!(error instanceof Garbage)) throw error;
    throw new CallFailed({ kind: "problem", sentence: UNREADABLE, waitFor: 0 });
  }
};

const UNREADABLE =
  "Docket cannot read the server's answer. One of the two may be too old: update it. If not, check the address and any proxy.";

/**
 * Whether a proxy in front of Docket wants a sign-in of its own. Docket itself sends no page here, and gives a
 * reason for each refusal.
 */
export const asksForSignIn = ({ status, headers }: Response): boolean =>
  [401, 403, 407].includes(status) ||
  (status === 200 && /^text\/html\b/i.test(headers.get("content-type") ?? ""));

const atProxy = (sentence: string): Problem => ({
  kind: "problem",
  sentence,
  waitFor: 0,
  isProxy: true,
});

const OWN_SIGN_IN =
  "A proxy in front of Docket asks for a sign-in of its own, so nothing reaches the server.";

/** Docket itself never redirects these calls. */
const LEADS_ELSEWHERE =
  "The server's address leads to another one, and nothing was sent there. Check the address and any proxy.";

/** What a server says to a question that it does not know. */
const UNKNOWN = [400, 404, 405, 422];

const unknown = (said: string): string =>
  `The server does not understand Docket here. One of the two may be too old: update it. The server says: ${said}`;

/** Ends with the signal too if the job does not heed it, such as while it fetches a token. */
const before = <T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) return end();
    signal.addEventListener("abort", end);
    job()
      .finally(() => signal.removeEventListener("abort", end))
      .then(resolve, reject);
  });

const reached = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch {
    throw new CallFailed({ kind: "offline" });
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** `said` is the sentence of the API; null if something else answered. */
const failureOf = ({ status, headers }: Response, said: string | null): Failure => {
  // Some proxy in between may say the same without knowing this server.
  if (status === 401 && said !== null) return { kind: "signed-out" };
  if (status === 413) return { kind: "too-large", sentence: said ?? "The change is too large." };
  const plain =
    said ??
    `The server answered with an error (${status}). It may be a proxy in front of Docket. Docket tries again.`;
  const sentence = said !== null && UNKNOWN.includes(status) ? unknown(said) : plain;
  return { kind: "problem", sentence, waitFor: secondsIn(headers.get("retry-after")) * 1_000 };
};

/** A day at most: a header with nonsense must not end the sync. */
const MOST_SECONDS = 86_400;

const secondsIn = (header: string | null): number => {
  const seconds = Number(header ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MOST_SECONDS) : 0;
};

const FIRST = 1_000;
const LONGEST_PAUSE = 5 * 60_000;

/**
 * Returns how many milliseconds to wait after that many failures in a row: twice as long each time, and between half
 * of that and all of it, so that many devices do not come back at the same moment. Never less than `atLeast`.
 */
export const pauseAfter = (failures: number, atLeast: number, random: () => number): number => {
  const full = Math.min(LONGEST_PAUSE, FIRST * 2 ** Math.min(failures - 1, 20));
  return Math.max(atLeast, Math.round(full * (0.5 + random() / 2)));
};
