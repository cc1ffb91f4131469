import { listKeys } from "../../db/people/api-keys.ts";
import { nameFolders } from "../../db/records/folders.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import { isPro } from "../../domain/people/account.ts";
import { type ApiKey, isKeyLive } from "../../domain/people/api-key.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown } from "../ui/parts.tsx";
import { NotPro } from "./form.tsx";
import { keyPath, KeyTable } from "./table.tsx";

/**
 * `GET /account/keys`: the account's keys. `?revoked=` names the key that was just revoked, `?made=` one whose form was
 * sent a second time.
 */
export const getKeys = async (context: SignedInContext): Promise<PageReply> => {
  const keys = await listKeys(context.store, context.who.account.id);
  const folders = await nameFolders(context.store, context.who.account.id);
  return html(<KeysPage context={context} keys={keys} folders={folders} />);
};

type KeysProps = {
  readonly context: SignedInContext;
  readonly keys: readonly ApiKey[];
  readonly folders: readonly NamedFolder[];
};

const KeysPage = ({ context, keys, folders }: KeysProps) => {
  const pro = isPro(context.who.account, context.now);
  const revoked = keys.find(({ id }) => id === context.query.get("revoked"));
  const made = keys.find(({ id }) => id === context.query.get("made"));
  return (
    <Layout
      title="API keys"
      account={context.who.account}
      at="/account/keys"
      action={pro && keys.length > 0 && <NewKey />}
    >
      {revoked && revoked.revokedAt !== null && (
        <Notice>
          The key “<Shown text={revoked.name} />” is revoked and no longer works.{" "}
          <a href={keyPath(revoked.id, "undo")}>Undo changes</a>
        </Notice>
      )}
      {made && isKeyLive(made, context.now) && (
        <Notice>
          The key “<Shown text={made.name} />” was created once, and Docket does not show it again.
          If you did not copy it, revoke it and create another one.
        </Notice>
      )}
      <p>
        Scripts and AI agents use an API key. With one they can read, add and change tasks, but
        never delete anything. The <a href="/docs">API reference</a> explains how to use a key, and{" "}
        <a href="/account/activity">Activity</a> shows everything that your keys did.
      </p>
      {!pro && <NotPro />}
      {keys.length > 0 ? (
        <KeyTable keys={keys} folders={folders} now={context.now} pro={pro} />
      ) : (
        <div class="empty">
          <h2>You have no API keys yet.</h2>
          <p>Create one for each script or agent, so that you can see and undo what it does.</p>
          {pro && <NewKey />}
        </div>
      )}
    </Layout>
  );
};

const NewKey = () => (
  <>
    <a class="button" href="/account/keys/connect">
      Connect an agent
    </a>{" "}
    <a class="button main" href="/account/keys/new">
      New key
    </a>
  </>
);
