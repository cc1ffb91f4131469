import type { ComponentChildren } from "preact";
import {
  type Child,
  CHILD_NAMES,
  type ChildChange,
  type Comparison,
  FIELD_NAMES,
  isSame,
} from "../../domain/history/comparison.ts";
import { statusName } from "../../domain/tasks/task.ts";
import { Colour, Shown } from "./parts.tsx";
import { Excerpt, FromTo, roomFor, shortened } from "./excerpt.tsx";
import { cutText, shownName } from "../../domain/base/text.ts";

/** The most tabs and notes that one comparison shows, and the most names of other fields. */
const MOST = 20;

/** How two versions of a task differ, line by line: the old value, then the new one. */
export const Differences = ({ of }: { readonly of: Comparison }) => {
  const { life, fields, children, counted, reordered } = of;
  const shown = children.slice(0, MOST);
  const room = roomFor([
    ...fields.flatMap(({ from, to }) => [from, to]),
    ...shown.flatMap(({ from, to }) => [from?.value, to?.value]),
  ]);
  if (isSame(of)) return <p class="quiet-text">No differences.</p>;
  return (
    <dl class="changes">
      {life !== null && <Line name="Task">{life === "deleted" ? "deleted" : "restored"}</Line>}
      {fields.map((change) => (
        <Line key={change.field} name={FIELD_NAMES[change.field]}>
          <FieldLine of={change} room={room} />
        </Line>
      ))}
      {shown.map((child, at) => (
        <Line key={at} name={childWords(child)}>
          <ChildLine of={child} room={room} />
        </Line>
      ))}
      {children.length > MOST && (
        <Line name="Not shown">{children.length - MOST} more tabs and notes</Line>
      )}
      {counted.map(({ list, from, to }) => (
        <Line key={list} name={list === "pages" ? "Tabs" : "Notes"}>
          {from} before, {to} after. So many differ that they are not listed.
        </Line>
      ))}
      {reordered.length > 0 && (
        <Line name="Order changed">
          {reordered.map((list) => `${CHILD_NAMES[list]}s`).join(", ")}
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

type FieldProps = { readonly of: Comparison["fields"][number]; readonly room: number };

/** A field's old value and its new one, as the app shows them. */
const FieldLine = ({ of: { field, from, to }, room }: FieldProps) => {
  switch (field) {
    case "colour":
      return (
        <>
          from{" "}
          {from === null ? (
            "nothing"
          ) : (
            <del>
              <Colour text={from} />
            </del>
          )}{" "}
          to{" "}
          {to === null ? (
            "nothing"
          ) : (
            <ins>
              <Colour text={to} />
            </ins>
          )}
        </>
      );
    case "status":
      return <FromTo from={from && statusName(from)} to={to && statusName(to)} room={room} />;
    case "title":
      return (
        <FromTo
          from={from === null ? null : shownName(from)}
          to={to === null ? null : shownName(to)}
          room={room}
        />
      );
    default:
      return <FromTo from={from} to={to} room={room} />;
  }
};

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
      {from.title !== to.title && (
        <FromTo from={shownTitle(from)} to={shownTitle(to)} room={room} />
      )}
      {from.title === to.title && <Shown text={shortened(shownTitle(to) ?? "")} />}
      <br />
      {from.value === to.value ? (
        <Address url={to.value} />
      ) : (
        <FromTo from={from.value} to={to.value} room={room} />
      )}
    </>
  );
};

/** Null for a note. A tab whose title shows nothing is named by its address. */
const shownTitle = ({ title, value }: Child): string | null =>
  title === null ? null : shownName(title, value);

type OneProps = {
  readonly of: Child | null;
  readonly as: "del" | "ins";
  readonly room: number;
};

/** A tab with a title is named by its title, followed by its address. */
const OneChild = ({ of: child, as, room }: OneProps) => {
  const value = child?.value ?? "";
  const name = (child && shownTitle(child)) ?? value;
  return (
    <>
      <Excerpt text={name} as={as} room={room} />
      {name !== value && (
        <>
          <br />
          <Address url={value} />
        </>
      )}
    </>
  );
};

/** An address as plain text: a history contains no links to saved pages. */
const Address = ({ url }: { readonly url: string }) => (
  <span class="quiet-text">
    <Shown text={shortened(url)} />
  </span>
);

/** The extension's own fields. There can be any number of them, with any names. */
const Others = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0 ? null : (
    <Line name="Other data">
      changed:{" "}
      {names.slice(0, MOST).map((name, at) => (
        <>
          {at > 0 && ", "}
          <Shown text={cutText(name, 60).toWellFormed()} />
        </>
      ))}
      {names.length > MOST && ` and ${names.length - MOST} more`}
    </Line>
  );
