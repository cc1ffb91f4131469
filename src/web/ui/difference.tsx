import type { ComponentChildren } from "preact";
import {
  type Child,
  CHILD_NAMES,
  type ChildChange,
  type Comparison,
  FIELD_NAMES,
  isSame,
} from "../../domain/history/comparison.ts";
import { Excerpt, FromTo, roomFor, shortened } from "./excerpt.tsx";
import { Shown } from "./shown.tsx";

/** Tabs and notes of one difference that a page shows, and names of other fields. */
const MOST = 20;

/** How two versions of a task differ, line by line: what was, and what became of it. */
export const Differences = ({ of }: { readonly of: Comparison }) => {
  const { life, fields, children, reordered } = of;
  const shown = children.slice(0, MOST);
  const room = roomFor([
    ...fields.flatMap(({ from, to }) => [from, to]),
    ...shown.flatMap(({ from, to }) => [from?.value, to?.value]),
  ]);
  if (isSame(of)) return <p class="quiet-text">Nothing differs in that.</p>;
  return (
    <dl class="changes">
      {life !== null && <Line name="Task">{life === "deleted" ? "deleted" : "back again"}</Line>}
      {fields.map(({ field, from, to }) => (
        <Line key={field} name={FIELD_NAMES[field]}>
          <FromTo from={from} to={to} room={room} />
        </Line>
      ))}
      {shown.map((child, at) => (
        <Line key={at} name={childWords(child)}>
          <ChildLine of={child} room={room} />
        </Line>
      ))}
      {children.length > MOST && (
        <Line name="And">{children.length - MOST} more tabs and notes</Line>
      )}
      {reordered.length > 0 && (
        <Line name="Order">
          of the {reordered.map((list) => `${CHILD_NAMES[list]}s`).join(", ")}
        </Line>
      )}
      <Others names={of.others} />
    </dl>
  );
};

type LineProps = { readonly name: string; readonly children: ComponentChildren };

const Line = ({ name, children }: LineProps) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const childWords = ({ list, from, to }: ChildChange): string =>
  `${list === "pages" ? "Tab" : "Note"} ${from === null ? "added" : to === null ? "removed" : "changed"}`;

type ChildProps = { readonly of: ChildChange; readonly room: number };

const ChildLine = ({ of: { from, to }, room }: ChildProps) => {
  if (from === null || to === null)
    return <OneChild of={from ?? to} as={to === null ? "del" : "ins"} room={room} />;
  if (from.title === null && to.title === null)
    return <FromTo from={from.value} to={to.value} room={room} />;
  return (
    <>
      {from.title !== to.title && <FromTo from={from.title} to={to.title} room={room} />}
      {from.title === to.title && <Shown text={shortened(to.title ?? "")} />}
      <br />
      {from.value === to.value ? (
        <Address url={to.value} />
      ) : (
        <FromTo from={from.value} to={to.value} room={room} />
      )}
    </>
  );
};

type OneProps = {
  readonly of: Child | null;
  readonly as: "del" | "ins";
  readonly room: number;
};

/** A tab that has a title is named by that, with its address behind it. */
const OneChild = ({ of: child, as, room }: OneProps) => (
  <>
    <Excerpt text={child?.title ?? child?.value ?? ""} as={as} room={room} />
    {child && child.title !== null && child.title !== child.value && (
      <>
        <br />
        <Address url={child.value} />
      </>
    )}
  </>
);

/** An address as text: nothing is opened from a history. */
const Address = ({ url }: { readonly url: string }) => (
  <span class="quiet-text">
    <Shown text={shortened(url)} />
  </span>
);

/** Fields that the extension keeps for itself: their names may be anything, and so many. */
const Others = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0 ? null : (
    <Line name="Other data">
      changed:{" "}
      {names.slice(0, MOST).map((name, at) => (
        <>
          {at > 0 && ", "}
          <Shown text={name.slice(0, 60).toWellFormed()} />
        </>
      ))}
      {names.length > MOST && ` and ${names.length - MOST} more`}
    </Line>
  );
