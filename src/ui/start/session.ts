import { asked, askForSession } from "./ask.ts";
import { readError } from "../../client/sync/wire.ts";
import { client } from "../state/client.ts";

/** What the account area's cookie is exchanged for. */
export type Session = {
  readonly token: string;
  readonly account: Account;
  /** Whether a proxy in front of Docket asks for a password of its own. */
  readonly isBehindPassword?: boolean;
  readonly setUp: SetUp;
};

/** How far somebody has come who has just begun. */
export type SetUp = {
  /** Whether a device other than a browser with the web app has ever signed in. */
  readonly hasDevice: boolean;
  readonly hasKey: boolean;
  readonly hasImported: boolean;
};

/** Kept in memory only: nothing that can be read later holds it. */
let session: Promise<Session | null> | null = null;

/** The answer does not say who is signed in: Docket has a fault, or a proxy in front of it asks for its own sign-in. */
export class NoSession extends Error {
  override readonly name = "NoSession";
  readonly response: Response;
  constructor(response: Response) {
    super(`The server, or a proxy in front of it, answered with an error (${response.status}).`);
    this.response = response;
  }
}

/** Returns the session, null if nobody is signed in. Rejects without a network, and with `NoSession`. */
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
  const json: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (response.status === 401 && readError(json) !== null) return null;
  if (!response.ok || json === null) throw new NoSession(response);
  return json as Session;
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
  const now = await getSession().catch((error: unknown) => {
    if (error instanceof NoSession) return error.response.clone();
    throw error;
  });
  if (now instanceof Response) return now;
  // As the API itself says it: a bare 401 could be some proxy's.
  if (now === null) return Response.json({ error: "You are not signed in." }, { status: 401 });
  if (now.account.id !== account.id) {
    onOther();
    throw new TypeError("Another account is signed in.");
  }
  const headers = new Headers(init.headers);
  // `Authorization` is left to a proxy in front of Docket that asks for a password. Its cookies go along too.
  headers.set("docket-session", now.token);
  return fetch(`/api/public/v1${path}`, { ...init, headers, redirect: "manual" });
};

/** Whose tasks this browser shows. */
export type Account = { readonly id: string; readonly email: string };

const PLACE = "docket-account";

/** The account that this browser showed last, so that the app opens without a network. Null after signing out. */
export const rememberedAccount = (): Account | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "null") as Partial<Account> | null;
    return typeof kept?.id === "string" && typeof kept.email === "string"
      ? { id: kept.id, email: kept.email }
      : null;
  } catch {
    return null;
  }
};

export const rememberAccount = (account: Account): void => {
  localStorage.setItem(PLACE, JSON.stringify(account));
};

export const forgetAccount = (): void => {
  localStorage.removeItem(PLACE);
};

/**
 * Erases what this browser holds of the account, and ends the browser session. Returns false, and does nothing, if changes wait that
 * the server does not have, unless the person said to lose them.
 */
export const signOut = async (evenIfWaiting: boolean): Promise<boolean> => {
  if (!(await client().signOut({ evenIfWaiting }))) return false;
  localStorage.clear();
  sessionStorage.clear();
  const form = Object.assign(document.createElement("form"), {
    method: "post",
    action: "/sign-out",
  });
  const erased = Object.assign(document.createElement("input"), { name: "erased", value: "yes" });
  form.append(erased);
  document.body.append(form);
  form.submit();
  return true;
};
