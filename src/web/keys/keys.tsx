import { isPro } from "../../account.ts";
import type { ApiKey } from "../../apikey.ts";
import { type NamedFolder, nameFolders } from "../../db/folders.ts";
import { createKey, listKeys } from "../../db/keys.ts";
import { Refusal } from "../../refusal.ts";
import { cryptoRandom } from "../../secret.ts";
import type { SignedInAsk } from "../ask.ts";
import { proveAgain } from "../entry/proof.ts";
import { isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { html, type PageReply } from "../reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown } from "../ui/shown.tsx";
import { KeyForm } from "./form.tsx";
import { showNewKey } from "./secret.tsx";
import { keyPath, KeyTable } from "./table.tsx";
import {
  expiryOf,
  leashOf,
  NEW_KEY,
  problemsOf,
  scopesOf,
  type TypedKey,
  typedKey,
} from "./typed.ts";

/**
 * `GET /account/keys`: the account's keys, and the form that creates one. `?revoked=` names the key that was
 * just revoked.
 */
export const getKeys = (ask: SignedInAsk): Promise<PageReply> =>
  showKeys(ask, NEW_KEY, NO_PROBLEMS);

/** `POST /account/keys`: creates a key and shows its secret, in this reply only. */
export const postKeys = async (ask: SignedInAsk): Promise<PageReply> => {
  const typed = typedKey(ask.form);
  if (!isPro(ask.who.account, ask.now)) return showKeys(ask, typed, NO_PROBLEMS, 403);
  const { id: accountId } = ask.who.account;
  const folders = await nameFolders(ask.store, accountId);
  const wrong = problemsOf(typed, folders);
  // The password is checked last: it is never sent back, so people would have to type it again.
  const problems = isEmpty(wrong) ? await proveAgain(ask) : wrong;
  if (!isEmpty(problems)) return showKeys(ask, typed, problems, 422);
  const wish = {
    name: typed.name.trim(),
    scopes: scopesOf(typed),
    leash: leashOf(typed),
    expiresAt: expiryOf(typed, ask.now),
  };
  try {
    const made = await createKey(ask.store, accountId, wish, cryptoRandom, ask.now);
    return showNewKey(ask, made, folders);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "invalid") throw error;
    return showKeys(ask, typed, { "": error.message }, 422);
  }
};

const showKeys = async (
  ask: SignedInAsk,
  typed: TypedKey,
  problems: Problems,
  status = 200,
): Promise<PageReply> => {
  const keys = await listKeys(ask.store, ask.who.account.id);
  const folders = await nameFolders(ask.store, ask.who.account.id);
  const page = { ask, keys, folders, typed, problems };
  return html(<KeysPage {...page} />, { status });
};

type KeysProps = {
  readonly ask: SignedInAsk;
  readonly keys: readonly ApiKey[];
  readonly folders: readonly NamedFolder[];
  readonly typed: TypedKey;
  readonly problems: Problems;
};

const KeysPage = ({ ask, keys, folders, typed, problems }: KeysProps) => {
  const pro = isPro(ask.who.account, ask.now);
  const revoked = keys.find(({ id }) => id === ask.query.get("revoked"));
  return (
    <Layout title="API keys" account={ask.who.account} at="/account/keys">
      {revoked && revoked.revokedAt !== null && (
        <Notice>
          The key “<Shown text={revoked.name} />” is revoked and no longer works.{" "}
          <a href={keyPath(revoked.id, "undo")}>Undo changes</a>
        </Notice>
      )}
      <p>
        Scripts and AI agents use an API key. With one they can read, add and change tasks, but
        never delete anything. The <a href="/docs">API reference</a> explains how to use a key, and{" "}
        <a href="/account/activity">Activity</a> shows everything that your keys did.
      </p>
      {keys.length === 0 ? (
        <p>You have no API keys yet.</p>
      ) : (
        <KeyTable keys={keys} folders={folders} now={ask.now} pro={pro} />
      )}
      <section>
        <h2>Create a key</h2>
        {pro ? (
          <KeyForm ask={ask} typed={typed} problems={problems} folders={folders} />
        ) : (
          <NotPro />
        )}
      </section>
    </Layout>
  );
};

const NotPro = () => (
  <Notice>
    API keys need the Pro plan, and your account is on the free plan. You cannot create keys, and
    the keys you have do not work. The person who runs this server can change your plan with this
    command: <code>docket account plan YOUR-EMAIL pro</code>
  </Notice>
);
