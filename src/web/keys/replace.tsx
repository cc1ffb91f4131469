import { isPro } from "../../account.ts";
import { type ApiKey, replaceRefusal } from "../../apikey.ts";
import { type NamedFolder, nameFolders } from "../../db/folders.ts";
import { readKey } from "../../db/keys.ts";
import { replaceKey } from "../../db/successors.ts";
import { HOUR } from "../../instant.ts";
import { invalid, Refusal } from "../../refusal.ts";
import { cryptoRandom } from "../../secret.ts";
import type { SignedInAsk } from "../ask.ts";
import { proveAgain } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { html, type PageReply } from "../reply.tsx";
import { FormProblem } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Shown } from "../ui/shown.tsx";
import { Where } from "./leash.tsx";
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
export const getReplace = async (ask: SignedInAsk): Promise<PageReply> =>
  showForm(ask, await replaceable(ask), NO_PROBLEMS);

/** `POST /account/keys/:id/replace`: creates the new key and shows its secret, in this reply only. */
export const postReplace = async (ask: SignedInAsk): Promise<PageReply> => {
  const key = await replaceable(ask);
  const grace = GRACES.find(({ value }) => value === field(ask.form, "grace"));
  if (!grace) return showForm(ask, key, { grace: "Choose one of these options." });
  const problems = await proveAgain(ask);
  if (!isEmpty(problems)) return showForm(ask, key, problems);
  const { id: accountId } = ask.who.account;
  try {
    const { old, ...made } = await replaceKey(
      ask.store,
      accountId,
      key.id,
      grace.ms,
      cryptoRandom,
      ask.now,
    );
    return showNewKey(ask, made, await nameFolders(ask.store, accountId), old);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "invalid") throw error;
    return showForm(ask, key, { "": error.message });
  }
};

/** The key to replace. Refused if it cannot be replaced, or if the account may not create keys. */
const replaceable = async ({ store, who, pathId, now }: SignedInAsk): Promise<ApiKey> => {
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

const showForm = async (ask: SignedInAsk, key: ApiKey, problems: Problems): Promise<PageReply> => {
  const folders = await nameFolders(ask.store, ask.who.account.id);
  return html(<ReplacePage ask={ask} of={key} folders={folders} problems={problems} />, {
    status: problems === NO_PROBLEMS ? 200 : 422,
  });
};

type ReplaceProps = {
  readonly ask: SignedInAsk;
  readonly of: ApiKey;
  readonly folders: readonly NamedFolder[];
  readonly problems: Problems;
};

const ReplacePage = ({ ask, of: key, folders, problems }: ReplaceProps) => (
  <Layout title="Replace a key" account={ask.who.account} at="/account/keys">
    <p>
      This creates a new key with the same name, access and lifetime as “<Shown text={key.name} />”
      (<code>{key.hint}</code>). Use it wherever you use the old one.
    </p>
    {key.leash && (
      <p>
        Like the old key, it works <Where of={key.leash} folders={folders} />.
      </p>
    )}
    <form method="post" action={keyPath(key.id, "replace")} novalidate>
      <FormProblem problems={problems} />
      <GraceChoice typed={field(ask.form, "grace") || "1h"} problem={problems["grace"]} />
      <ProofField ask={ask} problems={problems} />
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
