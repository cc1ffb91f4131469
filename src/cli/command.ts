import { type Account, normaliseEmail } from "../domain/people/account.ts";
import type { Config } from "../config/config.ts";
import type { GivenSetting } from "../config/given.ts";
import type { OtherVariable } from "../config/settings.ts";
import { UsageError } from "../domain/base/usage.ts";
import { findAccount, listAccounts } from "../db/people/accounts.ts";
import { openStore } from "../db/open.ts";
import type { Store } from "../db/store.ts";
import type { Instant } from "../domain/base/instant.ts";
import { Refusal } from "../domain/base/refusal.ts";

/** Everything a command needs from outside. It is passed in, so that a test can run a command too. */
export type Terminal = {
  /** Writes a line of the result to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line for people to standard error. */
  readonly say: (line: string) => void;
  /** Writes to standard output. Resolves once the reader has room for more. */
  readonly write: (line: string) => Promise<void>;
  /** Standard input, as it arrives. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Reads a secret that is typed or piped in, without echoing it. */
  readonly readSecret: (prompt: string) => Promise<string>;
  /** Whether there is a person to ask, at a terminal. */
  readonly canAsk: () => boolean;
  /** The line that a person types in answer. */
  readonly ask: (question: string) => Promise<string>;
  readonly isTerminal: boolean;
  readonly now: () => Instant;
};

export type Run = Terminal & {
  readonly config: Config;
  /** All settings, and where each comes from. */
  readonly settings: () => readonly GivenSetting[];
  /** The value of a flag; undefined if it was not given. */
  readonly flag: (name: string) => string | undefined;
  readonly has: (name: string) => boolean;
  /** The words after the command's own name. */
  readonly words: readonly string[];
  /** The value of `DOCKET_URL`, or the content of the file that `DOCKET_URL_FILE` names. */
  readonly url: string | undefined;
  /** The value of `DOCKET_API_KEY`, or the content of the file that `DOCKET_API_KEY_FILE` names. */
  readonly key: () => string | undefined;
  /** The value of another variable: `read-key` reads `DOCKET_READ_KEY` or the file that `DOCKET_READ_KEY_FILE` names. */
  readonly variable: (name: OtherVariable) => string | undefined;
};

/** One command: what to type, what it is for and what it does. `run` returns the exit code. */
export type Command = {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  /** Its flags: `true` for a flag that takes a value. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** How many words may follow its name: the least and the most. */
  readonly words: readonly [number, number];
  readonly run: (run: Run) => Promise<number>;
};

/** Runs `work` on the data, even while a server is running. With `make`, creates them if there are none. */
export const withStore = async <T>(
  run: Run,
  work: (store: Store) => Promise<T>,
  make = false,
): Promise<T> => {
  const { data: directory, database } = run.config;
  const store = await openStore({
    directory,
    database,
    role: "visitor",
    now: run.now(),
    mustExist: !make,
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

export const required = (run: Run, flag: string): string => {
  const value = run.flag(flag);
  if (!value) throw new UsageError(`--${flag} is required.`);
  return value;
};

export const emailOf = (text: string): string => {
  const email = normaliseEmail(text);
  if (email === null) throw new UsageError(`"${text}" is not an e-mail address.`);
  return email;
};

/** The account that `--account` names. If there is only one account, it need not be named. */
export const theAccount = async (run: Run, store: Store): Promise<Account> => {
  const email = run.flag("account");
  if (email !== undefined) {
    const found = await findAccount(store, emailOf(email));
    if (found) return found;
    throw new Refusal(
      "not_found",
      `There is no account for ${email}. Run \`docket account list\` to see all accounts.`,
    );
  }
  const [only, ...others] = await listAccounts(store);
  if (!only)
    throw new Refusal(
      "not_found",
      "There are no accounts yet. Create one with `docket account add EMAIL`.",
    );
  if (others.length > 0)
    throw new UsageError("There is more than one account. Choose one with --account EMAIL.");
  return only;
};
