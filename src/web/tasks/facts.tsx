import type { ComponentChildren } from "preact";
import type { RecordRow } from "../../domain/records/row.ts";
import { Time } from "../ui/time.tsx";
import { Made } from "./maker.tsx";

type FactsProps = {
  readonly row: RecordRow;
  /** What this kind of record has beside its content. */
  readonly children?: ComponentChildren;
};

/** What is known about a record, apart from its content. */
export const Facts = ({ row, children }: FactsProps) => (
  <dl>
    {children}
    <dt>Created</dt>
    <dd>
      <Made
        by={{ created_by: row.createdBy, created_by_key: row.createdByKey }}
        at={row.createdAt}
      />
    </dd>
    <dt>Last changed</dt>
    <dd>
      <Time at={row.updated} />
    </dd>
  </dl>
);

type FactProps = { readonly label: string; readonly children: ComponentChildren };

/** One field. */
export const Fact = ({ label, children }: FactProps) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);
