import type { ComponentChildren } from "preact";
import type { RecordRow } from "../../domain/sync/row.ts";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { Made } from "./maker.tsx";

type FactsProps = {
  readonly row: RecordRow;
  readonly colour: string | null;
  /** What only this kind of record has. */
  readonly children?: ComponentChildren;
};

/** What is known about a record, apart from its content. */
export const Facts = ({ row, colour, children }: FactsProps) => (
  <dl>
    {children}
    {colour !== null && (
      <>
        <dt>Colour</dt>
        <dd>
          <Shown text={colour} />
        </dd>
      </>
    )}
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
