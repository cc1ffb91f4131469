import { type Client, openClient } from "../../client/client.ts";
import {
  type Connection,
  connection,
  endSession,
  mayReach,
  notReached,
} from "../connect/connection.ts";

type Owner = Omit<Connection, "token">;

const NOWHERE = "http://nobody.invalid";

/** Whose store is used while nobody is signed in. No server has this name (RFC 2606), and nothing is sent to it. */
export const NOBODY: Owner = {
  server: NOWHERE,
  store: NOWHERE,
  account: { id: "local", email: "" },
};

type Opened = { readonly name: string; readonly client: Promise<Client> };

/**
 * The store that this page or worker has open. The browser may stop a worker at any moment and start it anew, so this
 * is only a shortcut: everything that matters is in the store.
 */
let opened: Opened | null = null;

/** Returns the client of the account that is signed in; without one, of the store on this computer alone. */
export const currentClient = async (): Promise<Client> => clientOf(await connection.read());

/** Returns the client of a connection. It closes the one that was open for another. */
export const clientOf = (now: Connection | null): Promise<Client> => {
  const owner = now ?? NOBODY;
  const name = `${owner.server} ${owner.store} ${owner.account.id}`;
  if (opened?.name === name) return opened.client;
  void opened?.client.then((client) => client.close());
  const client = openStore(owner);
  opened = { name, client };
  // The next one who asks tries again.
  client.catch(() => {
    if (opened?.client === client) opened = null;
  });
  return client;
};

/** Opens the store of an account. The caller closes it. */
export const openStore = ({ server, store, account }: Owner): Promise<Client> =>
  openClient({
    account,
    server: store,
    request: callsOf(server, account.id),
    now: Date.now,
    newId: () => crypto.randomUUID(),
  });

/**
 * Returns how the client of one account calls the API. The token is read for each call: signing in or out on another
 * page counts at once, and another account's token is never used.
 */
const callsOf =
  (server: string, accountId: string) =>
  async (path: string, init: RequestInit): Promise<Response> => {
    const now = await connection.read();
    const token = now?.server === server && now.account.id === accountId ? now.token : null;
    // As the API itself says it: a bare 401 could be some proxy's.
    if (token === null) return Response.json({ error: "You are not signed in." }, { status: 401 });
    // The server lets any origin call it, so the request would succeed against the person's will.
    if (!(await mayReach(server)))
      return Response.json({ error: notReached(server) }, { status: 403 });
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(`${server}/api/public/v1${path}`, {
      ...init,
      headers,
      credentials: "omit",
      cache: "no-store",
      // The token, and what is saved, are meant for this one server.
      redirect: "manual",
    });
    if (response.status === 401 && (await isFromDocket(response.clone()))) await endSession(token);
    return response;
  };

const isFromDocket = async (response: Response): Promise<boolean> => {
  const reply: unknown = await response.json().catch(() => null);
  return typeof (reply as { readonly error?: unknown } | null)?.error === "string";
};
