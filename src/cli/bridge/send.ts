import {
  type Agreed,
  agreedBy,
  headersOf,
  NOTHING_AGREED,
  readReplies,
  refusal,
  TooLong,
} from "./replies.ts";
import { type Message, rpcError } from "./message.ts";

/** Sends a message to the server. Returns what comes back, with the reply last. A failure is also returned as a reply. */
export type Send = (message: Message, signal: AbortSignal) => Promise<readonly object[]>;

export type Server = {
  /** The address that takes messages. */
  readonly url: URL;
  readonly key: string;
  /** The name and version of this program. */
  readonly agent: string;
};

/** Sends each message to the server in its own request. */
export const sendTo = (server: Server): Send => {
  let agreed = NOTHING_AGREED;
  return async (message, signal) => {
    try {
      const response = await post(server, message, agreed, signal);
      if (!response.ok) return [await refusal(response, message, server.url)];
      if (message.id === undefined) return [];
      const replies = await readReplies(response);
      agreed = agreedBy(message, replies.at(-1)) ?? agreed;
      return replies;
    } catch (error) {
      return signal.aborted ? [] : [rpcError(message.id ?? null, sentence(error, server.url))];
    }
  };
};

const post = (server: Server, message: Message, agreed: Agreed, signal: AbortSignal) =>
  fetch(server.url, {
    method: "POST",
    body: message.text,
    signal,
    // The key is meant for this one address.
    redirect: "manual",
    // On a connection that stays open, a restart of the server would look like a lost reply.
    keepalive: false,
    headers: {
      ...headersOf(message, agreed, server.agent),
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${server.key}`,
      "content-type": "application/json",
    },
  });

const UNREACHED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const UNTRUSTED = /CERT|EPROTO|TLS/;

const sentence = (error: unknown, { origin }: URL): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (UNREACHED.test(code))
    return `Docket does not answer at ${origin}. Start it with \`docket serve\`, or correct DOCKET_URL.`;
  if (UNTRUSTED.test(code))
    return `The https connection to ${origin} is not trusted (${code}), so nothing was sent. Fix the certificate, or correct DOCKET_URL.`;
  if (error instanceof TooLong)
    return `The reply from ${origin} was longer than 32 MiB, so it was not read to its end. The call may have taken effect. Check before you repeat it.`;
  if (error instanceof SyntaxError)
    return `The server at ${origin} is not Docket. Set DOCKET_URL to the address of your Docket server.`;
  return `The reply from ${origin} was lost. The call may have taken effect. Check before you repeat it.`;
};
