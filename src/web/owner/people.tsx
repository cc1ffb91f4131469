import type { Account } from "../../domain/people/account.ts";
import { CODE_LIFETIME } from "../../domain/people/code.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import {
  disableAccount,
  enableAccount,
  listAccounts,
  readAccount,
} from "../../db/people/accounts.ts";
import { listKeys } from "../../db/people/api-keys.ts";
import { issueReset } from "../../db/people/resets.ts";
import { countDevices } from "../../db/people/sessions.ts";
import { readSpace } from "../../db/history/quota.ts";
import { isKeyLive } from "../../domain/people/api-key.ts";
import { issuerOf } from "../../server/checks/request.ts";
import { askAgain, type ConfirmedAction } from "../entry/again.tsx";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { bytes, RowMenu, Rows, Shown, Time, TimeOr } from "../ui/parts.tsx";

/** Refuses everyone but the owner, as `forbidden`. */
export const refuseOthers = ({ who }: SignedInContext): void => {
  if (!who.account.isOwner)
    throw new Refusal("forbidden", "Only the owner of this server can open this page.");
};

/** An account as its server's owner sees it. */
export type Person = {
  readonly account: Account;
  readonly devices: number;
  readonly lastSyncAt: Instant | null;
  readonly keys: number;
  /** Of the tasks, folders and history, in bytes. */
  readonly size: number;
};

export const readPeople = async ({ store, now }: SignedInContext): Promise<readonly Person[]> => {
  const people: Person[] = [];
  for (const account of await listAccounts(store)) {
    const { live, lastSyncAt } = await countDevices(store, account.id, now);
    const keys = (await listKeys(store, account.id)).filter((key) => isKeyLive(key, now)).length;
    const { records, history, keys: caused } = await readSpace(store, account.id);
    const size = records.size + history.size + caused.size;
    people.push({ account, devices: live, lastSyncAt, keys, size });
  }
  return people;
};

/** Everyone who has an account, and what can be done for them. */
export const PeopleSection = ({ people }: { readonly people: readonly Person[] }) => (
  <section>
    <h2>People</h2>
    <Rows
      caption="Everyone who has an account. You cannot see what is in it."
      columns={["Account", "Devices", "Last sync", "API keys", "Space", "Actions"]}
    >
      {people.map((person) => (
        <PersonRow key={person.account.id} {...person} />
      ))}
    </Rows>
  </section>
);

const PersonRow = ({ account, devices, lastSyncAt, keys, size }: Person) => (
  <tr>
    <th scope="row">
      <Shown text={account.email} />
      {account.isOwner && " (owner)"}
      {account.disabledAt !== null && <span class="problem"> disabled</span>}
    </th>
    <td data-label="Devices">{devices}</td>
    <td data-label="Last sync">
      <TimeOr at={lastSyncAt} none="never" />
    </td>
    <td data-label="API keys">{keys}</td>
    <td data-label="Space">{bytes(size)}</td>
    <td data-label="Actions">
      {!account.isOwner && (
        <RowMenu name={account.email}>
          {account.disabledAt === null ? (
            <>
              <Act id={account.id} what="reset" name="Make a link for a new password" />
              <Act id={account.id} what="disable" name="Disable the account" />
            </>
          ) : (
            <Act id={account.id} what="enable" name="Enable the account" />
          )}
        </RowMenu>
      )}
    </td>
  </tr>
);

type ActProps = { readonly id: number; readonly what: string; readonly name: string };

const Act = ({ id, what, name }: ActProps) => (
  <form method="post" action={`/account/server/people/${id}/${what}`}>
    <button class="quiet">{name}</button>
  </form>
);

/** `POST /account/server/people/:id/disable`: nothing is deleted, and nobody can use the account. */
export const postDisable = (context: SignedInContext): Promise<PageReply> =>
  act(context, "disable", "an account was disabled", async ({ email }) => {
    await disableAccount(context.store, email, context.now);
    return seeOther("/account/server?done=disabled");
  });

export const postEnable = (context: SignedInContext): Promise<PageReply> =>
  act(context, "enable", "an account was enabled", async ({ email }) => {
    await enableAccount(context.store, email);
    return seeOther("/account/server?done=enabled");
  });

/** `POST /account/server/people/:id/reset`: shows a link for a new password, in this reply only. */
export const postReset = (context: SignedInContext): Promise<PageReply> =>
  act(context, "reset", "a link for a new password was made", async (account) => {
    const code = await issueReset(context.store, account.id, cryptoRandom, context.now);
    return html(<LinkPage context={context} account={account} code={code} />);
  });

type Act = "disable" | "enable" | "reset";

const WORDS: Readonly<Record<Act, Pick<ConfirmedAction, "about" | "button" | "title">>> = {
  disable: {
    title: "Disable an account",
    about:
      "Its person can no longer sign in, and its devices and API keys are refused. Nothing is deleted.",
    button: "Disable the account",
  },
  enable: {
    title: "Enable an account",
    about: "Its person can sign in again, and its devices and API keys work as before.",
    button: "Enable the account",
  },
  reset: {
    title: "Make a link for a new password",
    about:
      "Whoever gets the link can choose a new password for this account. Send it to its person alone.",
    button: "Make the link",
  },
};

/** Does something to another's account, once the owner has proved again who they are. */
const act = async (
  context: SignedInContext,
  what: Act,
  noted: string,
  work: (account: Account) => Promise<PageReply>,
): Promise<PageReply> => {
  refuseOthers(context);
  const id = Number(context.pathId);
  const account = Number.isSafeInteger(id) ? await readAccount(context.store, id) : null;
  if (!account || account.isOwner)
    throw new Refusal("not_found", "There is no other account at this address.");
  const action = `/account/server/people/${account.id}/${what}`;
  const { about, ...words } = WORDS[what];
  const asked = await askAgain(context, {
    ...words,
    about: `${account.email}: ${about}`,
    action,
    back: "/account/server",
  });
  if (asked) return asked;
  const reply = await work(account);
  noteChange(context, `${noted}: ${account.email}`);
  return reply;
};

type LinkProps = {
  readonly context: SignedInContext;
  readonly account: Account;
  readonly code: string;
};

const LinkPage = ({ context, account, code }: LinkProps) => (
  <Layout title="A link for a new password" account={context.who.account} at="/account/server">
    <div class="secret">
      <p>
        Copy the link now and send it to <Shown text={account.email} />. Docket shows it only once
        and does not store it.
      </p>
      <p>
        <code class="copy">{`${issuerOf(context.origin, context.service.settings)}/reset#${code}`}</code>
      </p>
    </div>
    <p>
      It works once, until <Time at={context.now + CODE_LIFETIME.reset} />. The old password works
      until then. A second factor stays: the person needs it to sign in.
    </p>
    <p>
      <a href="/account/server">Back to Server</a>
    </p>
  </Layout>
);
