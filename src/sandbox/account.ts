import type { Scope } from "../domain/people/api-key.ts";
import { createKey } from "../db/people/api-keys.ts";
import { issueSetUpCode, setUpOwner } from "../db/people/owner.ts";
import { createSession } from "../db/people/sessions.ts";
import type { Store } from "../db/store.ts";
import type { Instant } from "../domain/base/instant.ts";
import { cryptoRandom, mintSecret, type Random } from "../domain/base/secret.ts";
import { startHasher } from "../domain/people/password.ts";

// The same in every sandbox, so that an author can write them into a test. Any page that a browser on this machine
// opens can know them too. That is why a sandbox holds nothing of anyone, and listens on this machine only.

/** Random bytes that are the same every time. Only the sandbox's public credentials may be made from them. */
const known = (name: string): Random => {
  let round = 0;
  return (count) =>
    new Bun.CryptoHasher("sha512")
      .update(`docket sandbox ${name} ${round++}`)
      .digest()
      .subarray(0, count);
};

/** Signs in to the pages of every sandbox. */
export const SANDBOX_OWNER = { email: "sandbox@example.org", password: "only for the sandbox" };

/** The devices of every sandbox. The second one makes the changes that `stale` asks for. */
const DEVICES = ["device", "other device"] as const;

const KEYS: Readonly<Record<string, readonly Scope[]>> = {
  agent: ["read", "write"],
  reader: ["read"],
  writer: ["write"],
};

const tokenOf = (device: (typeof DEVICES)[number]): string => mintSecret("sess", known(device));

export const OTHER_DEVICE = tokenOf("other device");

/** The secrets of every sandbox, by the names of the variables that `docket selftest` reads. */
export const SANDBOX_SECRETS = {
  DOCKET_SESSION_TOKEN: tokenOf("device"),
  DOCKET_API_KEY: mintSecret("live", known("agent")),
  DOCKET_READ_KEY: mintSecret("live", known("reader")),
  DOCKET_WRITE_KEY: mintSecret("live", known("writer")),
};

/** Creates the sandbox's owner, with two devices and three API keys that never expire. */
export const fillSandbox = async (store: Store, now: Instant): Promise<void> => {
  const { email, password } = SANDBOX_OWNER;
  const passwordHash = await startHasher().hash(password);
  const code = await issueSetUpCode(store, cryptoRandom, now);
  const joining = { code, email, passwordHash, plan: "pro" as const };
  const signIn = { method: "setup" as const, client: null, address: "127.0.0.1" };
  const { accountId } = await setUpOwner(store, joining, signIn, cryptoRandom, now);
  for (const name of DEVICES) await createSession(store, accountId, name, known(name), now);
  for (const [name, scopes] of Object.entries(KEYS)) {
    const fields = { name, scopes, restriction: null, expiresAt: null };
    await createKey(store, accountId, fields, known(name), now);
  }
};
