import { type ApiKey, isKeyLive } from "../../domain/people/api-key.ts";
import type { SignedInContext } from "../shared/page.ts";
import type { Problems } from "../shared/form.ts";
import { keyPath } from "../keys/table.tsx";
import { bytes, momentWords, Shown } from "../ui/parts.tsx";
import { FormProblem, Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { CHOICES, PlanSection, type Typed } from "./plan.tsx";
import type { Plan } from "./record.tsx";
import { type Instant, parseInstant } from "../../domain/base/instant.ts";

type UndoProps = {
  readonly context: SignedInContext;
  readonly of: ApiKey;
  /** The account's other keys that may write. */
  readonly others: readonly ApiKey[];
  /** The newest version, up to which the person can keep what the key did. */
  readonly upTo: number;
  readonly typed: Typed;
  /** Null until a start time has been chosen. */
  readonly plan: Plan | null;
  /** How many tasks and folders were just changed back; null if nothing was undone. */
  readonly undone: number | null;
  readonly problems: Problems;
};

export const UndoPage = ({
  context,
  of: key,
  others,
  upTo,
  typed,
  plan,
  undone,
  problems,
}: UndoProps) => (
  <Layout title="Undo a key’s changes" account={context.who.account} at="/account/keys">
    {undone !== null && <UndoneNotice records={undone} />}
    {context.query.get("kept") !== null && (
      <Notice>Kept. What the key did no longer counts against its share of the history.</Notice>
    )}
    {isKeyLive(key, context.now) && <StillLive of={key} />}
    <p>
      You can undo the changes made with the key “<Shown text={key.name} />” (
      <code>{key.hint}</code>). Docket changes back what the key changed, and removes what it added.
      Anything that someone has changed since then stays as it is. You see everything before Docket
      does anything.
    </p>
    <FormProblem problems={problems} />
    <SinceForm
      path={keyPath(key.id, "undo")}
      typed={typed}
      others={others}
      problems={problems}
      now={context.now}
    />
    {plan && (
      <PlanSection
        context={context}
        of={key}
        others={typed.others}
        plan={plan}
        problems={problems}
      />
    )}
    <KeepSection context={context} of={key} upTo={upTo} problems={problems} />
  </Layout>
);

type KeepProps = Pick<UndoProps, "context" | "of" | "problems" | "upTo">;

/** How full the key's share of the history is, and the button that makes room. */
const KeepSection = ({ context, of: key, upTo, problems }: KeepProps) => (
  <section>
    <h2>Keep what this key did</h2>
    <p>
      So that everything can be undone, Docket keeps each version that a key replaces for 90 days.
      Those of this key use {bytes(key.historySize)} of {bytes(context.store.shares.key)}. When that
      is full, or when all your keys together use {bytes(context.store.shares.keys)}, the key can
      still read, but no longer write.
    </p>
    <p>
      If you are content with what the key did so far, keep it: the key then has all its room again.
      Nothing is removed, and you can still undo it.
    </p>
    <form method="post" action={keyPath(key.id, "keep")} novalidate>
      <input type="hidden" name="keep_up_to" value={String(upTo)} />
      <ProofField context={context} problems={problems} back={keyPath(key.id, "undo")} />
      <button>Keep everything until now</button>
    </form>
  </section>
);

const UndoneNotice = ({ records }: { readonly records: number }) => (
  <Notice>
    {records === 0
      ? "There was nothing left to undo."
      : `Undone. ${records === 1 ? "1 task or folder was" : `${records} tasks and folders were`} changed back. Your devices get this at their next sync. What was undone stays in the history for 90 days.`}
  </Notice>
);

const StillLive = ({ of: key }: { readonly of: ApiKey }) => (
  <div class="problem banner" role="status">
    <p>This key still works and can make more changes. Revoke it first.</p>
    <form
      method="post"
      action={keyPath(key.id, "revoke")}
      data-confirm={`Revoke “${key.name}”? Everything that uses it stops working.`}
    >
      <button class="danger">Revoke key</button>
    </form>
  </div>
);

type FormProps = {
  readonly path: string;
  readonly typed: Typed;
  /** The account's other keys that may write. */
  readonly others: readonly ApiKey[];
  readonly problems: Problems;
  readonly now: Instant;
};

/** Chooses since when to look at the key's changes. Looking does not change anything. */
const SinceForm = ({ path, typed, others, problems, now }: FormProps) => (
  <form method="get" action={path} novalidate>
    <div class="field">
      <label for="since">Changes made</label>
      <select id="since" name="since">
        {parseInstant(typed.choice) !== null && (
          <option value={typed.choice} selected>
            since the time below
          </option>
        )}
        {CHOICES.map(([value, words]) => (
          <option key={value} value={value} selected={value === (typed.choice || "24h")}>
            {words}
          </option>
        ))}
      </select>
    </div>
    <div class="field">
      <label for="at">Or since a date and time</label>
      <p class="hint" id="at-hint">
        <span data-zone-words>{`In UTC. It is now ${momentWords(now)}`}</span>
      </p>
      <input
        id="at"
        name="at"
        type="datetime-local"
        value={typed.at}
        aria-invalid={problems["at"] ? "true" : undefined}
        aria-describedby={problems["at"] ? "at-hint at-problem" : "at-hint"}
      />
      {problems["at"] && (
        <p class="problem" id="at-problem">
          {problems["at"]}
        </p>
      )}
    </div>
    {others.length > 0 && (
      <fieldset class="field">
        <legend>Together with changes of</legend>
        {others.map(({ id, name, hint }) => (
          <label key={id}>
            <input
              type="checkbox"
              name={`with.${id}`}
              value="yes"
              checked={typed.others.includes(id)}
            />
            <Shown text={name} /> <code>{hint}</code>
          </label>
        ))}
        <p class="hint">
          If keys overwrote each other, undo them together: everything goes back to what it was
          before.
        </p>
      </fieldset>
    )}
    <input type="hidden" name="zone" value={String(typed.zone)} data-zone />
    <button>Show changes</button>
  </form>
);
