import { SETTINGS } from "../../config/settings.ts";
import type { Store } from "../../db/store.ts";
import { issueSetUpCode } from "../../db/people/owner.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { pagesAddress } from "./about.ts";
import { type Command, type Run, withStore } from "../command.ts";

/** Prints a new link to the set-up page. The previous link stops working. */
export const ownerLinkCommand: Command = {
  name: "owner link",
  usage: "[--host ADDRESS] [--port PORT] [--public-url URL] ...",
  about: "print a new set-up link, if the server has no owner yet",
  // The same settings as the server's, since they determine its address.
  flags: Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, true])),
  words: [0, 0],
  run: async (run) => {
    const address = pagesAddress(run.config);
    const { link, code } = await withStore(run, (store) => newSetUp(run, store, address));
    run.say(`Open this link within 30 minutes, or type the code ${code} on the page /setup:`);
    run.print(link);
    return 0;
  },
};

/**
 * A new set-up code, and the link that carries it in its fragment, which browsers never send to a server.
 * Refused if the server already has an owner.
 */
export const newSetUp = async (
  run: Run,
  store: Store,
  address: string,
): Promise<{ readonly link: string; readonly code: string }> => {
  const code = await issueSetUpCode(store, cryptoRandom, run.now());
  return { link: `${address}/setup#${code}`, code };
};
