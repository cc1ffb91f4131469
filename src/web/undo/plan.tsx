import type { ApiKey } from "../../domain/people/api-key.ts";
import {
  DAY,
  formatInstant,
  HOUR,
  type Instant,
  isInstant,
  MINUTE,
  parseInstant,
} from "../../domain/base/instant.ts";
import type { SignedInContext } from "../shared/page.ts";
import type { Form, Problems } from "../shared/form.ts";
import { keyPath } from "../keys/table.tsx";
import { count, Time } from "../ui/parts.tsx";
import { ProofField } from "../ui/proof.tsx";
import { type NamedRecord, type Plan, RecordCard } from "./record.tsx";

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

/** Since when a key's changes are undone, by keyword. */
export const CHOICES = [
  ["1h", "in the last hour"],
  ["today", "today"],
  ["24h", "in the last 24 hours"],
  ["7d", "in the last 7 days"],
  ["90d", "in the last 90 days"],
] as const;

const LENGTHS: ReadonlyMap<string, number> = new Map([
  ["1h", HOUR],
  ["24h", DAY],
  ["7d", 7 * DAY],
  ["90d", 90 * DAY],
]);

/** What the form contains: a choice (or a full time), and a typed date and time, which takes precedence. */
export type Typed = {
  readonly choice: string;
  readonly at: string;
  /** Minutes from the person's own time to UTC; 0 if no script could tell. */
  readonly zone: number;
  /** The ids of other keys whose changes are undone together with this one's. */
  readonly others: readonly string[];
};

/** The keys that were ticked: a field `with.ID` each. */
export const othersIn = (form: Form): readonly string[] =>
  [...form.keys()].flatMap((name) => (name.startsWith("with.") ? [name.slice(5)] : []));

export const typedSince = (query: Form): Typed => {
  const zone = Number(query.get("zone") ?? 0);
  return {
    choice: query.get("since") ?? "",
    at: query.get("at") ?? "",
    zone: Number.isInteger(zone) && Math.abs(zone) <= 14 * 60 ? zone : 0,
    others: othersIn(query),
  };
};

/** The moment that is meant; null if what was typed is not one. */
export const readSince = ({ choice, at, zone }: Typed, now: Instant): Instant | null => {
  const shift = zone * MINUTE;
  if (at !== "") {
    const local = parseInstant(withSeconds(at));
    return local !== null && isInstant(local + shift) ? local + shift : null;
  }
  if (choice === "today") return Math.floor((now - shift) / DAY) * DAY + shift;
  const length = LENGTHS.get(choice);
  return length === undefined ? parseInstant(choice) : now - length;
};

/**
 * Accepts a date and time as browsers send it, `2026-03-04T12:00`, or as people type it where the browser
 * does not help.
 */
const withSeconds = (text: string): string => {
  const time = text.trim().replace(" ", "T");
  return `${/T\d\d:\d\d$/.test(time) ? `${time}:00` : time}Z`;
};
