import {
  type ApiKey,
  DEFAULT_EXPIRY,
  howLong,
  isName,
  keyState,
  parseLifetime,
  parseScopes,
  type ShownRestriction,
  showRestriction,
} from "../../domain/people/api-key.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { listAccounts } from "../../db/people/accounts.ts";
import { nameFolders } from "../../db/records/folders.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import { createKey, listKeys, revokeKey } from "../../db/people/api-keys.ts";
import type { Store } from "../../db/store.ts";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { type Command, required, type Run, theAccount, withStore } from "../command.ts";
import { checkRestrictionFlags, restrictionOf, restrictionWords } from "./restriction.ts";
import { printList, time } from "../terminal.ts";

const create: Command = {
  name: "key create",
  usage:
    "--name NAME [--account EMAIL] [--scopes read,write] [--expires 90d|never] [--folders FOLDER,... | --inbox-only] [--review]",
  about: "create an API key (by default read-only, valid for 90 days, and for the whole account)",
  flags: {
    name: true,
    account: true,
    scopes: true,
    expires: true,
    folders: true,
    "inbox-only": false,
    review: false,
  },
  words: [0, 0],
  run: async (run) => {
    const now = run.now();
    const wish = wishOf(run, now);
    const { key, secret, where } = await withStore(run, async (store) => {
      const { id } = await theAccount(run, store);
      const restriction = await restrictionOf(run, store, id);
      const made = await createKey(store, id, { ...wish, restriction }, cryptoRandom, now);
      return { ...made, where: restrictionWords(restriction, await nameFolders(store, id)) };
    });
    const review = key.review ? ["What it creates waits until you keep it."] : [];
    const limits = [...(where ? [`${where}.`] : []), ...review, validity(key)].join(" ");
    run.say(`API key "${key.name}" (${key.id}) can ${key.scopes.join(" and ")}. ${limits}`);
    run.say("The key is shown only once. Keep it in a safe place:");
    run.print(secret);
    return 0;
  },
};

const wishOf = (run: Run, now: Instant) => {
  checkRestrictionFlags(run);
  const name = nameOf(required(run, "name"));
  const scopes = parseScopes(run.flag("scopes") ?? "read");
  if (scopes === null) throw new UsageError("--scopes must be read, write or read,write.");
  const expires = run.flag("expires");
  const lifetime = expires === undefined ? DEFAULT_EXPIRY : parseLifetime(expires);
  if (lifetime === null)
    throw new UsageError("--expires must be a length of time such as 12h or 90d, or never.");
  const expiresAt = Number.isFinite(lifetime) ? now + lifetime : null;
  return { name, scopes, expiresAt, review: run.has("review") };
};

export const nameOf = (text: string): string => {
  if (isName(text)) return text;
  throw new UsageError(`--name must have 1 to 100 printable characters.${howLong(text)}`);
};

const validity = ({ expiresAt }: ApiKey): string =>
  expiresAt === null ? "It never expires." : `It expires at ${formatInstant(expiresAt)}.`;

const list: Command = {
  name: "key list",
  usage: "[--account EMAIL] [--json]",
  about: "list the API keys, including revoked and expired ones",
  flags: { account: true, json: false },
  words: [0, 0],
  run: async (run) => {
    const rows = await withStore(run, async (store) => {
      const emails = await emailsById(store);
      const keys = await listKeys(store, await accountFilter(run, store));
      const restriction = await restrictionTeller(run, store, keys);
      return keys.map((key) =>
        rowOf(key, emails.get(key.accountId) ?? "", restriction(key), run.now()),
      );
    });
    printList(run, rows, "There are no API keys yet. Create one with `docket key create`.");
    return 0;
  },
};

/** The account that `--account` names; null for all accounts. */
export const accountFilter = async (run: Run, store: Store): Promise<number | null> =>
  run.flag("account") === undefined ? null : (await theAccount(run, store)).id;

export const emailsById = async (store: Store): Promise<ReadonlyMap<number, string>> =>
  new Map((await listAccounts(store)).map(({ id, email }) => [id, email]));

/** Shows a key's restriction: with `--json` as in replies of the API, otherwise in words. */
const restrictionTeller = async (run: Run, store: Store, keys: readonly ApiKey[]) => {
  if (run.has("json")) return ({ restriction }: ApiKey) => showRestriction(restriction);
  const folders = new Map<number, readonly NamedFolder[]>();
  for (const id of new Set(keys.map(({ accountId }) => accountId)))
    folders.set(id, await nameFolders(store, id));
  return ({ restriction, accountId }: ApiKey) =>
    restrictionWords(restriction, folders.get(accountId) ?? []) || null;
};

const rowOf = (
  key: ApiKey,
  account: string,
  restriction: ShownRestriction | string | null,
  now: Instant,
) => ({
  id: key.id,
  account,
  name: key.name,
  key: key.hint,
  scopes: key.scopes,
  restriction: restriction,
  review: key.review ? "yes" : "no",
  state: keyState(key, now),
  created_at: time(key.createdAt),
  expires_at: time(key.expiresAt),
  last_used_at: time(key.lastUsedAt),
  revoked_at: time(key.revokedAt),
});

const revoke: Command = {
  name: "key revoke",
  usage: "ID",
  about: "revoke an API key: the server refuses it at once",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const key = await withStore(run, (store) =>
      revokeKey(store, null, run.words[0] ?? "", run.now()),
    );
    run.say(`Revoked the API key "${key.name}".`);
    return 0;
  },
};

export const KEY_COMMANDS = [create, list, revoke];
