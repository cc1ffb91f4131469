import { type ApiKey, isKeyLive } from "../../domain/people/api-key.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import type { NewKey } from "../../db/people/api-keys.ts";
import { issuerOf } from "../../server/origin.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { Where } from "./restriction.tsx";
import { type Snippet, snippetsOf } from "./snippets.ts";

/**
 * The only page that shows a key's secret: the reply to the form that created the key. It has no address of
 * its own, so nobody can come back to it. `folders` are the account's live ones.
 */
export const showNewKey = (
  context: SignedInContext,
  { key, secret }: NewKey,
  folders: readonly NamedFolder[],
  old: ApiKey | null = null,
): PageReply => {
  const { settings } = context.service;
  const origin = issuerOf(context.origin, settings);
  const snippets = snippetsOf({ origin, secret, key, limits: settings.limits });
  return html(
    <Layout title="Your new key" account={context.who.account} at="/account/keys">
      <div class="secret">
        <p>Copy the key now. Docket shows it only once and does not store it.</p>
        <p>
          <code class="copy">{secret}</code>
        </p>
      </div>
      <p>
        “<Shown text={key.name} />” can {key.scopes.join(" and ")},{" "}
        {key.restriction && (
          <>
            <Where of={key.restriction} folders={folders} />,{" "}
          </>
        )}
        <Validity of={key} />.
      </p>
      {old && <OldKey of={old} context={context} />}
      <section>
        <h2>Where to use it</h2>
        {snippets.map((snippet) => (
          <SnippetPart key={snippet.title} of={snippet} />
        ))}
      </section>
      <p>
        <a href="/account/keys">Back to API keys</a>
      </p>
    </Layout>,
  );
};

const Validity = ({ of: { expiresAt } }: { readonly of: ApiKey }) =>
  expiresAt === null ? (
    <>until you revoke it</>
  ) : (
    <>
      until <Time at={expiresAt} />
    </>
  );

const OldKey = ({
  of: old,
  context,
}: {
  readonly of: ApiKey;
  readonly context: SignedInContext;
}) => (
  <p>
    The old key, <code>{old.hint}</code>,{" "}
    {isKeyLive(old, context.now) ? (
      <>
        works <Validity of={old} />.
      </>
    ) : (
      "no longer works."
    )}
  </p>
);

const SnippetPart = ({ of: { title, text } }: { readonly of: Snippet }) => (
  <>
    <h3>{title}</h3>
    <pre class="copy">{text}</pre>
  </>
);
