import { type Account, entitlement } from "../../domain/people/account.ts";
import { UsageError } from "../../domain/base/usage.ts";
import {
  addAccount,
  disableAccount,
  enableAccount,
  listAccounts,
  setPassword,
  setPlan,
} from "../../db/people/accounts.ts";
import type { Store } from "../../db/store.ts";
import { parseInstant } from "../../domain/base/instant.ts";
import { type Command, emailOf, type Run, withStore } from "../command.ts";
import { askPassword } from "../password.ts";
import { printList, time } from "../table.ts";

const email = (run: Run): string => emailOf(run.words[0] ?? "");

const add: Command = {
  name: "account add",
  usage: "EMAIL [--password-stdin]",
  about: "make an account",
  flags: { "password-stdin": false },
  words: [1, 1],
  run: async (run) => {
    const passwordHash = run.has("password-stdin") ? await askPassword(run, email(run)) : null;
    const options = { plan: run.config.defaultPlan, passwordHash };
    const work = (store: Store): Promise<Account> =>
      addAccount(store, email(run), options, run.now());
    const made = await withStore(run, work, true);
    run.say(`Account ${made.email} was made, plan ${made.plan}.`);
    return 0;
  },
};

const list: Command = {
  name: "account list",
  usage: "[--json]",
  about: "list the accounts",
  flags: { json: false },
  words: [0, 0],
  run: async (run) => {
    const accounts = await withStore(run, listAccounts);
    printList(
      run,
      accounts.map((account) => rowOf(account, run)),
      "There is no account yet.",
    );
    return 0;
  },
};

const rowOf = (account: Account, run: Run) => ({
  email: account.email,
  id: account.uid,
  plan: entitlement(account, run.now()).plan,
  plan_until: time(account.planUntil),
  source: account.planSource,
  created_at: time(account.createdAt),
  disabled_at: time(account.disabledAt),
});

const plan: Command = {
  name: "account plan",
  usage: "EMAIL free|pro [--until TIME] [--source NAME]",
  about: "set an account's plan, for Pro also when it ends",
  flags: { until: true, source: true },
  words: [2, 2],
  run: async (run) => {
    const wanted = run.words[1];
    if (wanted !== "free" && wanted !== "pro")
      throw new UsageError("The plan must be free or pro.");
    const end = run.flag("until");
    const until = end === undefined ? null : parseInstant(end);
    if (end !== undefined && (until === null || wanted === "free"))
      throw new UsageError("--until takes an RFC 3339 time, and goes with pro.");
    const grant = { plan: wanted, until, source: run.flag("source") ?? null } as const;
    const account = await withStore(run, (store) => setPlan(store, email(run), grant, run.now()));
    run.say(`Account ${account.email} is ${entitlement(account, run.now()).plan} from now on.`);
    return 0;
  },
};

const password: Command = {
  name: "account password",
  usage: "EMAIL",
  about: "set an account's password, asked for or read from standard input",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const hash = await askPassword(run, email(run));
    const nobody = { browserSessionId: null };
    const work = (store: Store): Promise<Account> =>
      setPassword(store, email(run), hash, nobody, run.now());
    const account = await withStore(run, work);
    run.say(`The password of ${account.email} was set. Its browsers and devices are signed out.`);
    run.say(
      "Its API keys stay valid (`docket key list`), and so do its passkeys and OpenID links.",
    );
    return 0;
  },
};

const disable: Command = {
  name: "account disable",
  usage: "EMAIL",
  about: "refuse all credentials of an account; nothing is deleted",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const account = await withStore(run, (store) => disableAccount(store, email(run), run.now()));
    run.say(`Account ${account.email} is disabled: its keys and sessions are refused.`);
    return 0;
  },
};

const enable: Command = {
  name: "account enable",
  usage: "EMAIL",
  about: "accept them again",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const account = await withStore(run, (store) => enableAccount(store, email(run)));
    run.say(`Account ${account.email} is enabled.`);
    return 0;
  },
};

export const ACCOUNT_COMMANDS = [add, list, plan, password, disable, enable];
