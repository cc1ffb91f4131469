import type { ApiKey } from "../../apikey.ts";
import type { NamedFolder } from "../../db/folders.ts";
import type { NewKey } from "../../db/keys.ts";
import { issuerOf } from "../../door/origin.ts";
import { isKeyLive } from "../../apikey.ts";
import type { SignedInAsk } from "../ask.ts";
import { html, type PageReply } from "../reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { Where } from "./leash.tsx";
import { type Snippet, snippetsOf } from "./snippets.ts";

/**
 * The only page that shows a key's secret: the reply to the form that created the key. It has no address of
 * its own, so nobody can come back to it. `folders` are the account's live ones.
 */
export const showNewKey = (
  ask: SignedInAsk,
  { key, secret }: NewKey,
  folders: readonly NamedFolder[],
  old: ApiKey | null = null,
): PageReply => {
  const { settings } = ask.service;
  const origin = issuerOf(ask.origin, settings);
  const snippets = snippetsOf({ origin, secret, key, limits: settings.limits });
  return html(
    <Layout title="Your new key" account={ask.who.account} at="/account/keys">
      <div class="secret">
        <p>Copy the key now. Docket shows it only once and does not store it.</p>
        <p>
          <code class="copy">{secret}</code>
        </p>
      </div>
      <p>
        “<Shown text={key.name} />” can {key.scopes.join(" and ")},{" "}
        {key.leash && (
          <>
            <Where of={key.leash} folders={folders} />,{" "}
          </>
        )}
        <Validity of={key} />.
      </p>
      {old && <OldKey of={old} ask={ask} />}
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

const OldKey = ({ of: old, ask }: { readonly of: ApiKey; readonly ask: SignedInAsk }) => (
  <p>
    The old key, <code>{old.hint}</code>,{" "}
    {isKeyLive(old, ask.now) ? (
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
