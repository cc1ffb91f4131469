import type { Account } from "./store.ts";

/** A refusal by the server: its status, and its sentence as the message. */
export class ServerError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Returns the server of a base address: `http://127.0.0.1:3625` for `http://127.0.0.1:3625/api/public/v1`. */
export const serverOf = (base: string): string => {
  const address = URL.parse(base.trim());
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new Error("The base address begins with http:// or https://.");
  return address.origin;
};

/** Calls the API with the account's session. Returns the reply, or throws a `ServerError`. */
export const call = <Reply>(
  { server, session }: Pick<Account, "server" | "session">,
  path: string,
  body?: unknown,
): Promise<Reply> =>
  reach(`${server}/api/public/v1${path}`, {
    headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });

/** Posts a form to one of the OAuth endpoints. Returns the reply, or throws a `ServerError`. */
export const post = <Reply>(
  address: string,
  fields: Readonly<Record<string, string>>,
): Promise<Reply> => reach(address, { method: "POST", body: new URLSearchParams(fields) });

const reach = async (address: string, request: RequestInit) => {
  const response = await fetch(address, request).catch(() => {
    throw new Error(`Nothing answers at ${new URL(address).origin}.`);
  });
  // A proxy in between may answer with something other than JSON.
  const reply = await response.json().catch(() => ({}));
  if (response.ok) return reply;
  const sentence =
    reply.error_description ?? reply.error ?? `The server answered ${response.status}.`;
  throw new ServerError(response.status, sentence);
};
