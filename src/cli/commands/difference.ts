import {
  type Child,
  CHILD_NAMES,
  type Comparison,
  FIELD_NAMES,
} from "../../domain/history/comparison.ts";
import { shortenedTo } from "../../domain/base/text.ts";

/** The most characters shown of one value, so that it fits on a line. */
const MOST = 80;

/** The differences between two versions of a task, on one line; null if there are none. */
export const oneLine = ({
  life,
  fields,
  children,
  counted,
  reordered,
  others,
}: Comparison): string | null => {
  const parts = [
    ...(life === null ? [] : [life === "deleted" ? "deleted" : "restored"]),
    ...fields.map(({ field, from, to }) => `${FIELD_NAMES[field]}: ${arrow(from, to)}`),
    ...children.map(({ list, from, to }) => `${CHILD_NAMES[list]}: ${arrow(text(from), text(to))}`),
    ...counted.map(
      ({ list, from, to }) => `${CHILD_NAMES[list]}s: ${from} -> ${to}, too many to list`,
    ),
    ...reordered.map((list) => `${CHILD_NAMES[list]}s reordered`),
    ...(others.length === 0 ? [] : [`other data: ${short(others.join(", "))}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
};

const text = (child: Child | null): string | null => {
  if (child === null) return null;
  const { title, value } = child;
  return title === null || title === value ? value : `${short(title)} ${short(value)}`;
};

const arrow = (from: string | null, to: string | null): string => {
  if (from === null) return `+ ${short(to ?? "")}`;
  return to === null ? `- ${short(from)}` : `${short(from)} -> ${short(to)}`;
};

/** A value that a person or a program chose, cut to fit on one line. */
export const short = (value: string): string => {
  return shortenedTo(value.replaceAll(/\s+/g, " ").toWellFormed(), MOST);
};
