import { type ApiKey, isKeyLive } from "../../domain/people/api-key.ts";
import type { SignedInContext } from "../shared/context.ts";
import type { Problems } from "../shared/form.ts";
import { keyPath } from "../keys/table.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown } from "../ui/shown.tsx";
import { SinceForm } from "./form.tsx";
import { PlanSection } from "./plan.tsx";
import type { Plan } from "./records.ts";
import type { Typed } from "./since.ts";

type UndoProps = {
  readonly context: SignedInContext;
  readonly of: ApiKey;
  readonly typed: Typed;
  /** Null until a start time has been chosen. */
  readonly plan: Plan | null;
  /** How many tasks and folders were just changed back; null if nothing was undone. */
  readonly undone: number | null;
  readonly problems: Problems;
};

export const UndoPage = ({ context, of: key, typed, plan, undone, problems }: UndoProps) => (
  <Layout title="Undo a key’s changes" account={context.who.account} at="/account/keys">
    {undone !== null && <UndoneNotice records={undone} />}
    {isKeyLive(key, context.now) && <StillLive of={key} />}
    <p>
      You can undo the changes made with the key “<Shown text={key.name} />” (
      <code>{key.hint}</code>). Docket changes back what the key changed, and removes what it added.
      Anything that someone has changed since then stays as it is. You see everything before Docket
      does anything.
    </p>
    <SinceForm path={keyPath(key.id, "undo")} typed={typed} problems={problems} now={context.now} />
    {plan && <PlanSection context={context} of={key} plan={plan} problems={problems} />}
  </Layout>
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
