import { type Account, entitlement, normaliseEmail } from "../../domain/people/account.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { UsageError } from "../../domain/base/usage.ts";
import {
  addAccount,
  changeEmail,
  disableAccount,
  enableAccount,
  findAccount,
  listAccounts,
  setPassword,
  setPlan,
  signOut,
} from "../../db/people/accounts.ts";
import { purgeAccount, shutAccount } from "../../db/people/deletion.ts";
import { turnOffAuthenticatorOf } from "../../db/people/authenticators.ts";
import type { Store } from "../../db/store.ts";
import { parseInstant } from "../../domain/base/instant.ts";
import { type Command, emailOf, type Run, withStore } from "../command.ts";
import { askPassword, printList, time } from "../terminal.ts";

const email = (run: Run): string => emailOf(run.words[0] ?? "");

const add: Command = {
  name: "account add",
  usage: "EMAIL [--password-stdin]",
  about: "create an account",
  flags: { "password-stdin": false },
  words: [1, 1],
  run: async (run) => {
    const passwordHash = run.has("password-stdin") ? await askPassword(run, email(run)) : null;
    const options = { plan: run.config.defaultPlan, passwordHash };
    const work = (store: Store): Promise<Account> =>
      addAccount(store, email(run), options, run.now());
    const made = await withStore(run, work, true);
    run.say(`Created the account ${made.email} on the ${made.plan} plan.`);
    return 0;
  },
};

const list: Command = {
  name: "account list",
  usage: "[--json]",
  about: "list all accounts",
  flags: { json: false },
  words: [0, 0],
  run: async (run) => {
    const accounts = await withStore(run, listAccounts);
    printList(
      run,
      accounts.map((account) => rowOf(account, run)),
      "There are no accounts yet. Create one with `docket account add EMAIL`.",
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
  about: "set an account's plan, and optionally when Pro ends",
  flags: { until: true, source: true },
  words: [2, 2],
  run: async (run) => {
    const wanted = run.words[1];
    if (wanted !== "free" && wanted !== "pro")
      throw new UsageError("The plan must be free or pro.");
    const end = run.flag("until");
    const until = end === undefined ? null : parseInstant(end);
    if (end !== undefined && (until === null || wanted === "free"))
      throw new UsageError(
        "--until must be an RFC 3339 time such as 2027-01-31T00:00:00Z, and works only with pro.",
      );
    const grant = { plan: wanted, until, source: run.flag("source") ?? null } as const;
    const account = await withStore(run, (store) => setPlan(store, email(run), grant, run.now()));
    run.say(`${account.email} is now on the ${entitlement(account, run.now()).plan} plan.`);
    return 0;
  },
};

const password: Command = {
  name: "account password",
  usage: "EMAIL",
  about: "set an account's password, typed at a prompt or read from standard input",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const hash = await askPassword(run, email(run));
    const nobody = { browserSessionId: null };
    const work = (store: Store): Promise<Account> =>
      setPassword(store, email(run), hash, nobody, run.now());
    const account = await withStore(run, work);
    run.say(`Set a new password for ${account.email}. Its browsers and devices are signed out.`);
    run.say(
      "Its API keys (`docket key list`), passkeys, OpenID links and authenticator app still work.",
    );
    return 0;
  },
};

const emailCommand: Command = {
  name: "account email",
  usage: "OLD-EMAIL NEW-EMAIL",
  about: "change the e-mail address that an account signs in with",
  flags: {},
  words: [2, 2],
  run: async (run) => {
    const [old, wanted] = [email(run), emailOf(run.words[1] ?? "")];
    if (old === wanted) throw new UsageError("The old and the new address are the same.");
    const changed = await withStore(run, async (store) => {
      const found = await findAccount(store, old);
      if (!found) throw noAccount(old);
      return changeEmail(store, found.id, wanted);
    });
    run.say(`Changed the e-mail address of ${old} to ${changed.email}.`);
    run.say("Sign in with the new one from now on. Browsers, devices and API keys still work.");
    return 0;
  },
};

const secondFactor: Command = {
  name: "account second-factor",
  usage: "EMAIL off",
  about: "turn off the authenticator app of someone who has lost it and their recovery codes",
  flags: {},
  words: [2, 2],
  run: async (run) => {
    if (run.words[1] !== "off")
      throw new UsageError(
        "Only its person can turn a second factor on. Write `off` to turn it off.",
      );
    const wasOn = await withStore(run, (store) =>
      turnOffAuthenticatorOf(store, email(run), run.now()),
    );
    run.say(
      wasOn
        ? `Turned off the second factor of ${email(run)}. Its browsers are signed out.`
        : `${email(run)} has no authenticator app. Nothing was changed.`,
    );
    return 0;
  },
};

const signOutCommand: Command = {
  name: "account sign-out",
  usage: "EMAIL | --all",
  about: "sign out all browsers and devices of an account, or of every account",
  flags: { all: false },
  words: [0, 1],
  run: async (run) => {
    const all = run.has("all");
    if (all === run.words.length > 0)
      throw new UsageError("Name one account by its e-mail address, or write --all.");
    const whose = all ? null : email(run);
    const accounts = await withStore(run, (store) => signOut(store, whose, run.now()));
    for (const account of accounts)
      run.say(`Signed out all browsers and devices of ${account.email}.`);
    run.say("API keys, passwords, passkeys and OpenID links still work.");
    return 0;
  },
};

const disable: Command = {
  name: "account disable",
  usage: "EMAIL",
  about: "disable an account: all its credentials are refused, nothing is deleted",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const account = await withStore(run, (store) => disableAccount(store, email(run), run.now()));
    run.say(`Disabled ${account.email}. The server refuses its API keys and sessions.`);
    return 0;
  },
};

const enable: Command = {
  name: "account enable",
  usage: "EMAIL",
  about: "enable a disabled account again",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const account = await withStore(run, (store) => enableAccount(store, email(run)));
    run.say(`Enabled ${account.email}. Its API keys and sessions work again.`);
    return 0;
  },
};

const remove: Command = {
  name: "account delete",
  usage: "EMAIL [--yes]",
  about: "delete an account and everything in it. Asks before it does, unless you give --yes",
  flags: { yes: false },
  words: [1, 1],
  run: async (run) => {
    if (!run.has("yes") && !run.canAsk())
      throw new UsageError(
        "This deletes everything in the account, and there is no terminal to ask you on. Nothing was changed. " +
          "To delete it anyway, add --yes.",
      );
    return withStore(run, async (store) => {
      const found = await findAccount(store, email(run));
      if (!found) throw noAccount(email(run));
      const question = `Type ${found.email} to delete that account and everything in it: `;
      if (!run.has("yes") && normaliseEmail(await run.ask(question)) !== found.email) {
        run.say("Nothing was changed.");
        return 1;
      }
      await shutAccount(store, found.id, run.now());
      await purgeAccount(store, found.id);
      run.say(`Deleted the account ${found.email}. Backups still contain it.`);
      return 0;
    });
  },
};

const noAccount = (missing: string): Refusal =>
  new Refusal("not_found", `There is no account for ${missing}.`);

export const ACCOUNT_COMMANDS = [
  add,
  list,
  plan,
  password,
  emailCommand,
  secondFactor,
  signOutCommand,
  disable,
  enable,
  remove,
];
