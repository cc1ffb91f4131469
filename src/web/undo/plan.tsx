import type { ApiKey } from "../../domain/people/api-key.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import type { SignedInContext } from "../shared/page.ts";
import type { Problems } from "../shared/form.ts";
import { keyPath } from "../keys/table.tsx";
import { count } from "../ui/count.ts";
import { ProofField } from "../ui/proof.tsx";
import { Time } from "../ui/time.tsx";
import { RecordCard } from "./record.tsx";
import type { NamedRecord, Plan } from "./records.ts";

/**
 * The most changes that the page lists, so that a busy key does not make it endless. All of them are counted.
 */
const MOST = 500;

type PlanProps = {
  readonly context: SignedInContext;
  readonly of: ApiKey;
  /** The ids of the keys whose changes are undone together with this one's. */
  readonly others: readonly string[];
  readonly plan: Plan;
  readonly problems: Problems;
};

/** What undoing would do, how much of it there is, and the button that does it. */
export const PlanSection = ({ context, of: key, others, plan, problems }: PlanProps) => {
  const { records, since, upTo, missing } = plan;
  const undone = countOf(records, "undone");
  const shown = firstOf(records, MOST);
  const hidden = countOf(records) - countOf(shown);
  return (
    <section>
      <h2>
        Since <Time at={since} />
      </h2>
      {missing !== null && (
        <p class="problem">
          Docket no longer keeps all versions from before <Time at={missing} />. What the key did
          before then may be missing here.
        </p>
      )}
      <Counts of={records} />
      {undone > 0 && (
        <form method="post" action={keyPath(key.id, "undo")} novalidate>
          <input type="hidden" name="since" value={formatInstant(since)} />
          <input type="hidden" name="up_to" value={String(upTo)} />
          {others.map((id) => (
            <input key={id} type="hidden" name={`with.${id}`} value="yes" />
          ))}
          <ProofField context={context} problems={problems} back={backTo(key, plan)} />
          <button class="main">
            {undone === 1 ? "Undo this change" : `Undo these ${undone} changes`}
          </button>
        </form>
      )}
      {shown.map((record) => (
        <RecordCard key={`${record.table} ${record.id}`} of={record} />
      ))}
      {hidden > 0 && (
        <p class="quiet-text">Counted above but not listed: {count(hidden, "more change")}.</p>
      )}
    </section>
  );
};

const backTo = (key: ApiKey, { since }: Plan): string =>
  `${keyPath(key.id, "undo")}?since=${encodeURIComponent(formatInstant(since))}`;

const Counts = ({ of: records }: { readonly of: readonly NamedRecord[] }) => {
  const [undone, changed, gone] = [
    countOf(records, "undone"),
    countOf(records, "changed"),
    countOf(records, "gone"),
  ];
  if (records.length === 0)
    return <p>The key has made no changes since then that are left to undo.</p>;
  return (
    <ul>
      <li>
        Can be undone: <strong>{count(undone, "change")}</strong>
      </li>
      {changed > 0 && (
        <li>
          Cannot be undone, because someone has changed the same thing since:{" "}
          <strong>{count(changed, "change")}</strong>
        </li>
      )}
      {gone > 0 && (
        <li>
          Already gone: <strong>{count(gone, "change")}</strong>
        </li>
      )}
    </ul>
  );
};

const countOf = (records: readonly NamedRecord[], state: string | null = null): number =>
  records
    .flatMap(({ undoings }) => undoings)
    .filter((undoing) => state === null || undoing.state === state).length;

const firstOf = (records: readonly NamedRecord[], most: number): readonly NamedRecord[] => {
  let left = most;
  return records.flatMap((record) => {
    const undoings = record.undoings.slice(0, left);
    left -= undoings.length;
    return undoings.length === 0 ? [] : [{ ...record, undoings }];
  });
};
