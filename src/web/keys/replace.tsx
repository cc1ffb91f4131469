import { isPro } from "../../domain/people/account.ts";
import { type ApiKey, replaceRefusal } from "../../domain/people/api-key.ts";
import { nameFolders } from "../../db/records/folders.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import { readKey, replaceKey } from "../../db/people/api-keys.ts";
import { HOUR } from "../../domain/base/instant.ts";
import { invalid, Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { proveAgain } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { FormProblem } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Shown } from "../ui/parts.tsx";
import { Where } from "./form.tsx";
import { showNewKey } from "./secret.tsx";
import { keyPath } from "./table.tsx";

const GRACES = [
  { value: "0h", ms: 0, words: "It stops working now" },
  { value: "1h", ms: HOUR, words: "For one more hour" },
  { value: "24h", ms: 24 * HOUR, words: "For 24 more hours" },
] as const;

/**
 * `GET /account/keys/:id/replace`: explains what replacing does, and asks how long the old key should keep
 * working.
 */
export const getReplace = async (context: SignedInContext): Promise<PageReply> =>
  showForm(context, await replaceable(context), NO_PROBLEMS);

/** `POST /account/keys/:id/replace`: creates the new key and shows its secret, in this reply only. */
export const postReplace = async (context: SignedInContext): Promise<PageReply> => {
  const key = await replaceable(context);
  const grace = GRACES.find(({ value }) => value === field(context.form, "grace"));
  if (!grace) return showForm(context, key, { grace: "Choose one of these options." });
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) return showForm(context, key, problems);
  const { id: accountId } = context.who.account;
  try {
    const { old, ...made } = await replaceKey(
      context.store,
      accountId,
      key.id,
      grace.ms,
      cryptoRandom,
      context.now,
    );
    noteChange(context, "an API key was replaced");
    return showNewKey(context, made, await nameFolders(context.store, accountId), old);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "invalid") throw error;
    return showForm(context, key, { "": error.message });
  }
};

/** The key to replace. Refused if it cannot be replaced, or if the account may not create keys. */
const replaceable = async ({ store, who, pathId, now }: SignedInContext): Promise<ApiKey> => {
  const key = await readKey(store, who.account.id, pathId ?? "");
  if (!isPro(who.account, now))
    throw new Refusal(
      "forbidden",
      "API keys need the Pro plan, and your account is on the free plan. You cannot replace this key.",
    );
  const refusal = replaceRefusal(key, now);
  if (refusal !== null) throw invalid(refusal);
  return key;
};

const showForm = async (
  context: SignedInContext,
  key: ApiKey,
  problems: Problems,
): Promise<PageReply> => {
  const folders = await nameFolders(context.store, context.who.account.id);
  return html(<ReplacePage context={context} of={key} folders={folders} problems={problems} />, {
    status: problems === NO_PROBLEMS ? 200 : 422,
  });
};

type ReplaceProps = {
  readonly context: SignedInContext;
  readonly of: ApiKey;
  readonly folders: readonly NamedFolder[];
  readonly problems: Problems;
};

const ReplacePage = ({ context, of: key, folders, problems }: ReplaceProps) => (
  <Layout title="Replace a key" account={context.who.account} at="/account/keys">
    <p>
      This creates a new key with the same name, access and lifetime as “<Shown text={key.name} />”
      (<code>{key.hint}</code>). Use it wherever you use the old one.
    </p>
    {key.restriction && (
      <p>
        Like the old key, it works <Where of={key.restriction} folders={folders} />.
      </p>
    )}
    <form method="post" action={keyPath(key.id, "replace")} novalidate>
      <FormProblem problems={problems} />
      <GraceChoice typed={field(context.form, "grace") || "1h"} problem={problems["grace"]} />
      <ProofField context={context} problems={problems} />
      <div class="actions">
        <button class="main">Replace key</button>
        <a href="/account/keys">Cancel</a>
      </div>
    </form>
  </Layout>
);

type GraceProps = { readonly typed: string; readonly problem: string | undefined };

const GraceChoice = ({ typed, problem }: GraceProps) => (
  <fieldset class="field" aria-describedby={problem ? "grace-problem" : undefined}>
    <legend>How long should the old key keep working?</legend>
    {GRACES.map(({ value, words }) => (
      <label key={value}>
        <input type="radio" name="grace" value={value} checked={value === typed} />
        {words}
      </label>
    ))}
    {problem && (
      <p class="problem" id="grace-problem">
        {problem}
      </p>
    )}
  </fieldset>
);
