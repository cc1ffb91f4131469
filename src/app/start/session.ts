import type { Account } from "./account.ts";
import { asked, askForSession } from "./ask.ts";

/** What the account area's cookie is exchanged for. */
export type Session = { readonly token: string; readonly account: Account };

/** Kept in memory only: nothing that can be read later holds it. */
let session: Promise<Session | null> | null = null;

/** Returns the session, null if nobody is signed in. Rejects without a network. */
export const getSession = (): Promise<Session | null> =>
  (session ??= readSession().catch((error: unknown) => {
    session = null;
    throw error;
  }));

/** The first time, the reply may be there already: see `early.ts`. */
const readSession = async (): Promise<Session | null> => {
  const early = asked.docketSession;
  delete asked.docketSession;
  const response = await (early ?? askForSession());
  if (response.status === 401) return null;
  if (!response.ok) throw new TypeError(`The server answered ${response.status}.`);
  return (await response.json()) as Session;
};

/** Forgets the token, so that the next call asks for a new one. */
const dropSession = (): void => {
  session = null;
};

/**
 * Returns how one account calls the API. A token that is no longer accepted is replaced once. A session of another
 * account is never used: `onOther` is called, and the call fails.
 */
export const callsOf =
  (account: Account, onOther: () => void) =>
  async (path: string, init: RequestInit): Promise<Response> => {
    const first = await call(path, init, account, onOther);
    if (first.status !== 401) return first;
    dropSession();
    return call(path, init, account, onOther);
  };

const call = async (
  path: string,
  init: RequestInit,
  account: Account,
  onOther: () => void,
): Promise<Response> => {
  const now = await getSession();
  // As the API itself says it: a bare 401 could be some proxy's.
  if (now === null) return Response.json({ error: "You are not signed in." }, { status: 401 });
  if (now.account.id !== account.id) {
    onOther();
    throw new TypeError("Another account is signed in.");
  }
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${now.token}`);
  // The token, and what is saved, are meant for this one server.
  return fetch(`/api/public/v1${path}`, {
    ...init,
    headers,
    credentials: "omit",
    redirect: "manual",
  });
};
