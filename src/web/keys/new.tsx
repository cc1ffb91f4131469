import { createKey } from "../../db/people/api-keys.ts";
import { nameFolders } from "../../db/records/folders.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { isPro } from "../../domain/people/account.ts";
import { proveAgain } from "../entry/proof.ts";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { KeyForm, NotPro } from "./form.tsx";
import { showNewKey } from "./secret.tsx";
import { NEW_KEY, problemsOf, type TypedKey, typedKey, wishOf } from "./typed.tsx";

/** `GET /account/keys/new`: the form that creates a key. */
export const getNewKey = async (context: SignedInContext): Promise<PageReply> => {
  const folders = await nameFolders(context.store, context.who.account.id);
  return showForm({ context, typed: NEW_KEY, problems: NO_PROBLEMS, folders });
};

/**
 * `POST /account/keys`: creates a key and shows its secret, in this reply only. If the reply is reloaded, the browser
 * sends the form once more, and gets to the list.
 */
export const postKeys = async (context: SignedInContext): Promise<PageReply> => {
  const { madeKeys } = context.service;
  const form = formKey(context);
  const before = form && madeKeys.find(form);
  if (before) return seeOther(`/account/keys?made=${encodeURIComponent(before)}`);
  const typed = typedKey(context.form);
  const { id: accountId } = context.who.account;
  const folders = await nameFolders(context.store, accountId);
  const again = (problems: Problems, status: number): PageReply =>
    showForm({ context, typed, problems, folders }, status);
  if (!isPro(context.who.account, context.now)) return again(NO_PROBLEMS, 403);
  const wrong = problemsOf(typed, folders);
  // The password is checked last: it is never sent back, so people would have to type it again.
  const problems = isEmpty(wrong) ? await proveAgain(context) : wrong;
  if (!isEmpty(problems)) return again(problems, 422);
  const wish = wishOf(typed, context.now);
  try {
    const made = await createKey(context.store, accountId, wish, cryptoRandom, context.now);
    if (form) madeKeys.put(form, made.key.id, accountId.toString());
    noteChange(context, "an API key was made");
    return showNewKey(context, made, folders);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "invalid") throw error;
    return again({ "": error.message }, 422);
  }
};

/** Names the form among all that were shown. Null if the request has none, as from a script. */
const formKey = ({ form, who }: SignedInContext): string | null => {
  const id = field(form, "form");
  return /^[\w-]{8,64}$/.test(id) ? `${who.browserSession.id} ${id}` : null;
};

type FormProps = {
  readonly context: SignedInContext;
  readonly typed: TypedKey;
  readonly problems: Problems;
  readonly folders: readonly NamedFolder[];
};

const showForm = (props: FormProps, status = 200): PageReply =>
  html(<NewKeyPage {...props} />, { status });

const NewKeyPage = (props: FormProps) => {
  const { account } = props.context.who;
  return (
    <Layout title="New key" account={account} at="/account/keys">
      {isPro(account, props.context.now) ? <KeyForm {...props} /> : <NotPro />}
    </Layout>
  );
};
