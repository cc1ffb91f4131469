import type { NamedFolder } from "../../domain/tasks/folder.ts";
import type { SignedInContext } from "../shared/page.ts";
import type { Problems } from "../shared/form.ts";
import { Field, FormProblem, Notice } from "../ui/fields.tsx";
import { ProofField } from "../ui/proof.tsx";
import { LIFETIMES, type TypedKey, WhereChoice } from "./typed.tsx";
import { type ApiKey, describeRestriction, type Restriction } from "../../domain/people/api-key.ts";
import { Shown, shownText } from "../ui/parts.tsx";

type FormProps = {
  readonly context: SignedInContext;
  readonly typed: TypedKey;
  readonly problems: Problems;
  /** The account's live folders. */
  readonly folders: readonly NamedFolder[];
};

/** The form that creates a key, with what was typed and the problems with it. */
export const KeyForm = ({ context, typed, problems, folders }: FormProps) => (
  <form method="post" action="/account/keys" novalidate>
    <FormProblem problems={problems} />
    <input type="hidden" name="form" value={crypto.randomUUID()} />
    <Field
      name="name"
      label="Name"
      hint="Who or what will use the key. Create one key for each agent: everything it creates is marked with this name."
      problems={problems}
      input={{ value: typed.name, autocomplete: "off" }}
    />
    <ScopeBoxes typed={typed} problem={problems["scopes"]} />
    <WhereChoice typed={typed} problems={problems} folders={folders} />
    <LifetimeChoice typed={typed} problem={problems["expires"]} />
    <ProofField context={context} problems={problems} back="/account/keys/new" />
    <div class="actions">
      <button class="main">Create key</button>
      <a href="/account/keys">Cancel</a>
    </div>
  </form>
);

type PartProps = { readonly typed: TypedKey; readonly problem: string | undefined };

/** What a key may do. */
export const ScopeBoxes = ({ typed, problem }: PartProps) => (
  <fieldset class="field" aria-describedby={problem ? "scopes-problem" : undefined}>
    <legend>Access</legend>
    <label>
      <input type="checkbox" name="read" value="yes" checked={typed.read} />
      Read tasks, tabs, notes and folders
    </label>
    <label>
      <input type="checkbox" name="write" value="yes" checked={typed.write} />
      Write: add and change them (API keys can never delete)
    </label>
    <label>
      <input type="checkbox" name="review" value="yes" checked={typed.review} />
      For review: tasks that it creates wait in “From agents” until you keep or dismiss them
    </label>
    {problem && (
      <p class="problem" id="scopes-problem">
        {problem}
      </p>
    )}
  </fieldset>
);

/** How long a key works. */
export const LifetimeChoice = ({ typed, problem }: PartProps) => (
  <div class="field">
    <label for="expires">Expires after</label>
    <select
      id="expires"
      name="expires"
      aria-invalid={problem ? "true" : undefined}
      aria-describedby={problem ? "expires-problem" : undefined}
    >
      {LIFETIMES.map(([value, words]) => (
        <option key={value} value={value} selected={value === typed.expires}>
          {words}
        </option>
      ))}
    </select>
    {problem && (
      <p class="problem" id="expires-problem">
        {problem}
      </p>
    )}
  </div>
);

/** Why the account cannot create keys, and what would change that. */
export const NotPro = () => (
  <Notice>
    API keys need the Pro plan, and your account is on the free plan. You cannot create keys, and
    the keys you have do not work. The person who runs this server can change your plan with this
    command: <code>docket account plan YOUR-EMAIL pro</code>
  </Notice>
);

type RestrictionProps = {
  readonly of: Restriction | null;
  /** The account's live folders. */
  readonly folders: readonly NamedFolder[];
};

/**
 * What a key is limited to, in words; nothing if it works in the whole account. Folder names are chosen by
 * others.
 */
export const Where = ({ of: restriction, folders }: RestrictionProps) => (
  <>
    {describeRestriction(restriction, new Map(folders.map(({ id, name }) => [id, name]))).map(
      ({ text, isName }, at) =>
        isName ? (
          <span key={at}>
            “<Shown text={text} />”
          </span>
        ) : (
          text
        ),
    )}
  </>
);

/**
 * A key's name with its last four characters, because a key has the same name as the key that it replaced.
 */
export const keyLabel = ({ name, hint }: ApiKey): string => `${shownText(name)} ${keyTail(hint)}`;

export const keyTail = (hint: string): string => `…${hint.slice(-4)}`;
