import { isPro } from "../../domain/people/account.ts";
import type { ApiKey } from "../../domain/people/api-key.ts";
import { type NamedFolder, nameFolders } from "../../db/records/folders.ts";
import { createKey, listKeys } from "../../db/people/api-keys.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { SignedInContext } from "../shared/context.ts";
import { proveAgain } from "../entry/proof.ts";
import { isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown } from "../ui/shown.tsx";
import { KeyForm } from "./form.tsx";
import { showNewKey } from "./secret.tsx";
import { keyPath, KeyTable } from "./table.tsx";
import {
  expiryOf,
  restrictionOf,
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
export const getKeys = (context: SignedInContext): Promise<PageReply> =>
  showKeys(context, NEW_KEY, NO_PROBLEMS);

/** `POST /account/keys`: creates a key and shows its secret, in this reply only. */
export const postKeys = async (context: SignedInContext): Promise<PageReply> => {
  const typed = typedKey(context.form);
  if (!isPro(context.who.account, context.now)) return showKeys(context, typed, NO_PROBLEMS, 403);
  const { id: accountId } = context.who.account;
  const folders = await nameFolders(context.store, accountId);
  const wrong = problemsOf(typed, folders);
  // The password is checked last: it is never sent back, so people would have to type it again.
  const problems = isEmpty(wrong) ? await proveAgain(context) : wrong;
  if (!isEmpty(problems)) return showKeys(context, typed, problems, 422);
  const wish = {
    name: typed.name.trim(),
    scopes: scopesOf(typed),
    restriction: restrictionOf(typed),
    expiresAt: expiryOf(typed, context.now),
  };
  try {
    const made = await createKey(context.store, accountId, wish, cryptoRandom, context.now);
    return showNewKey(context, made, folders);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "invalid") throw error;
    return showKeys(context, typed, { "": error.message }, 422);
  }
};

const showKeys = async (
  context: SignedInContext,
  typed: TypedKey,
  problems: Problems,
  status = 200,
): Promise<PageReply> => {
  const keys = await listKeys(context.store, context.who.account.id);
  const folders = await nameFolders(context.store, context.who.account.id);
  const page = { context, keys, folders, typed, problems };
  return html(<KeysPage {...page} />, { status });
};

type KeysProps = {
  readonly context: SignedInContext;
  readonly keys: readonly ApiKey[];
  readonly folders: readonly NamedFolder[];
  readonly typed: TypedKey;
  readonly problems: Problems;
};

const KeysPage = ({ context, keys, folders, typed, problems }: KeysProps) => {
  const pro = isPro(context.who.account, context.now);
  const revoked = keys.find(({ id }) => id === context.query.get("revoked"));
  return (
    <Layout title="API keys" account={context.who.account} at="/account/keys">
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
        <KeyTable keys={keys} folders={folders} now={context.now} pro={pro} />
      )}
      <section>
        <h2>Create a key</h2>
        {pro ? (
          <KeyForm context={context} typed={typed} problems={problems} folders={folders} />
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
