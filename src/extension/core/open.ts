import { type Client, openClient } from "../../client/client.ts";
import { type Connection, connection } from "../connect/connection.ts";
import { callsOf } from "./calls.ts";

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
