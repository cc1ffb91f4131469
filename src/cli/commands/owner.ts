import { SETTINGS } from "../../config.ts";
import type { Store } from "../../db/store.ts";
import { issueSetUpCode } from "../../db/people/owner.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { localAddress } from "./about.ts";
import { type Command, type Run, withStore } from "../command.ts";

/** Prints the way to the set-up page again: the link before it is void from then on. */
export const ownerLinkCommand: Command = {
  name: "owner link",
  usage: "[--host ADDRESS] [--port PORT] [--public-url URL] ...",
  about: "make a new set-up link, while the server has no owner yet",
  // Whatever the server was started with says where it is.
  flags: Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, true])),
  words: [0, 0],
  run: async (run) => {
    const address = localAddress(run.config);
    const { link, code } = await withStore(run, (store) => newSetUp(run, store, address));
    run.say(`Open this within 30 minutes, or type ${code} on the server's page /setup.`);
    run.print(link);
    return 0;
  },
};

/**
 * A new set-up code, and the link that has it in its fragment, which browsers send to no server. Refused
 * once there is an owner.
 */
export const newSetUp = async (
  run: Run,
  store: Store,
  address: string,
): Promise<{ readonly link: string; readonly code: string }> => {
  const code = await issueSetUpCode(store, cryptoRandom, run.now());
  return { link: `${run.config.publicUrl?.origin ?? address}/setup#${code}`, code };
};
