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
  /** Null before it was said since when. */
  readonly plan: Plan | null;
  /** How many tasks and folders were just changed back, null where nothing was asked for yet. */
  readonly undone: number | null;
  readonly problems: Problems;
};

export const UndoPage = ({ context, of: key, typed, plan, undone, problems }: UndoProps) => (
  <Layout title="Undo what a key did" account={context.who.account} at="/account/keys">
    {undone !== null && <UndoneNotice records={undone} />}
    {isKeyLive(key, context.now) && <StillLive of={key} />}
    <p>
      This is about the key “<Shown text={key.name} />” (<code>{key.hint}</code>). What it changed
      is changed back, and what it filed is taken away, but for what somebody changed since: that
      stays. You see all of it before anything is done.
    </p>
    <SinceForm path={keyPath(key.id, "undo")} typed={typed} problems={problems} now={context.now} />
    {plan && <PlanSection context={context} of={key} plan={plan} problems={problems} />}
  </Layout>
);

const UndoneNotice = ({ records }: { readonly records: number }) => (
  <Notice>
    {records === 0
      ? "There was nothing left to undo."
      : `Undone: ${records === 1 ? "1 task or folder was" : `${records} tasks and folders were`} changed back. Your devices take that at their next sync. The history of each keeps what was undone for 90 days.`}
  </Notice>
);

const StillLive = ({ of: key }: { readonly of: ApiKey }) => (
  <div class="problem banner" role="status">
    <p>This key still works, and may go on changing things. It is better to revoke it first.</p>
    <form
      method="post"
      action={keyPath(key.id, "revoke")}
      data-confirm={`Revoke “${key.name}”? Whatever uses it is refused from now on.`}
    >
      <button class="danger">Revoke the key</button>
    </form>
  </div>
);
