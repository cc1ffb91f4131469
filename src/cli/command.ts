import { type Account, normaliseEmail } from "../domain/people/account.ts";
import type { Config } from "../config.ts";
import { UsageError } from "../domain/base/usage.ts";
import { findAccount, listAccounts } from "../db/people/accounts.ts";
import { openStore, type Store } from "../db/store.ts";
import type { Instant } from "../domain/base/instant.ts";
import { Refusal } from "../domain/base/refusal.ts";

/** How a command meets the world: given to it, so that a test can run it too. */
export type Terminal = {
  /** A line of the answer, on standard output. */
  readonly print: (line: string) => void;
  /** A line for people, on standard error. */
  readonly say: (line: string) => void;
  /** The same, resolved when whoever reads it has room for more. */
  readonly write: (line: string) => Promise<void>;
  /** Standard input, as it comes. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** A secret typed or piped in: not echoed. */
  readonly readSecret: (prompt: string) => Promise<string>;
  readonly isTerminal: boolean;
  readonly now: () => Instant;
};

export type Run = Terminal & {
  readonly config: Config;
  /** Text of a flag, undefined where it was not given. */
  readonly flag: (name: string) => string | undefined;
  readonly has: (name: string) => boolean;
  /** The words behind the command's own. */
  readonly words: readonly string[];
  /** `DOCKET_URL`, or what stands in the file of `DOCKET_URL_FILE`. */
  readonly url: string | undefined;
  /** `DOCKET_API_KEY`, or what stands in the file of `DOCKET_API_KEY_FILE`. */
  readonly key: () => string | undefined;
};

/** One command: what is typed, what it means, what it does. Returns the exit code. */
export type Command = {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  /** Its flags: `true` for one that takes a value. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** How many words stand behind its name, at least and at most. */
  readonly words: readonly [number, number];
  readonly run: (run: Run) => Promise<number>;
};

/** Works on the data beside a server that may be running; `make` makes them if there are none. */
export const withStore = async <T>(
  run: Run,
  work: (store: Store) => Promise<T>,
  make = false,
): Promise<T> => {
  const directory = run.config.data;
  const store = openStore({ directory, role: "visitor", now: run.now(), mustExist: !make });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

export const required = (run: Run, flag: string): string => {
  const value = run.flag(flag);
  if (value === undefined) throw new UsageError(`--${flag} is missing.`);
  return value;
};

export const emailOf = (text: string): string => {
  const email = normaliseEmail(text);
  if (email === null) throw new UsageError(`"${text}" is not an e-mail address.`);
  return email;
};

/** The account of `--account`; where there is only one, it need not be named. */
export const theAccount = async (run: Run, store: Store): Promise<Account> => {
  const email = run.flag("account");
  if (email !== undefined) {
    const found = await findAccount(store, emailOf(email));
    if (found) return found;
    throw new Refusal(
      "not_found",
      `There is no account of ${email}: \`docket account list\` shows all.`,
    );
  }
  const [only, ...others] = await listAccounts(store);
  if (!only)
    throw new Refusal(
      "not_found",
      "There is no account yet: make one with `docket account add EMAIL`.",
    );
  if (others.length > 0)
    throw new UsageError("There are several accounts: say which with --account EMAIL.");
  return only;
};
