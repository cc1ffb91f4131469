import { type Agreed, agreedBy, headersOf, NOTHING_AGREED } from "./headers.ts";
import { type Message, rpcError } from "./message.ts";
import { readReplies, refusal } from "./replies.ts";

/** Hands a message over. Gives what comes back, the reply last; whatever goes wrong is a reply too. */
export type Ask = (message: Message, signal: AbortSignal) => Promise<readonly object[]>;

export type Server = {
  /** Where it takes messages. */
  readonly url: URL;
  readonly key: string;
  /** This program and its version. */
  readonly agent: string;
};

/** Asks a server, with a request of its own for each message. */
export const askAt = (server: Server): Ask => {
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
    // The key goes to the one address that it was given for.
    redirect: "manual",
    // On a connection that is kept, a restart of the server would look like a lost reply.
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
    return `Docket does not answer at ${origin}: start it with \`docket serve\`, or set DOCKET_URL.`;
  if (UNTRUSTED.test(code))
    return `No trusted https connection to ${origin} (${code}), so nothing was sent: mend its certificate, or set DOCKET_URL.`;
  if (error instanceof SyntaxError)
    return `What answers at ${origin} is not Docket: set DOCKET_URL to Docket's own address.`;
  return `The reply of ${origin} was lost. What was asked may have been done: look before you ask again.`;
};
