import { isObject, textField } from "../../domain/base/payload.ts";
import { kept } from "../browser/kept.ts";

/** The server that this browser syncs with, and whose account. */
export type Connection = {
  /** The server's origin. */
  readonly server: string;
  /** The origin that names this browser's store: the one of the first sign-in. A server may move to another address. */
  readonly store: string;
  readonly account: { readonly id: string; readonly email: string };
  /** The session's token. Null once the server no longer accepts it: what is stored here stays. */
  readonly token: string | null;
};

/** Null while nobody is signed in. */
export const connection = kept("connection", (stored): Connection | null => {
  if (!isObject(stored) || !isObject(stored["account"])) return null;
  const server = textField(stored, "server");
  const id = textField(stored["account"], "id");
  if (server === null || id === null) return null;
  const email = textField(stored["account"], "email") ?? "";
  const store = textField(stored, "store") ?? server;
  return { server, store, account: { id, email }, token: textField(stored, "token") };
});

/** Notes that the server refused a token. Does nothing if someone has signed in again since. */
export const endSession = async (token: string): Promise<void> => {
  const now = await connection.read();
  if (now?.token === token) await connection.write({ ...now, token: null });
};
