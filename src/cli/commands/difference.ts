import {
  type Child,
  CHILD_NAMES,
  type Comparison,
  FIELD_NAMES,
} from "../../domain/history/comparison.ts";

/** Characters of one value, so that a line stays one. */
const MOST = 80;

/** How two versions of a task differ, on one line; null where nothing does. */
export const oneLine = ({
  life,
  fields,
  children,
  reordered,
  others,
}: Comparison): string | null => {
  const parts = [
    ...(life === null ? [] : [life === "deleted" ? "deleted" : "back again"]),
    ...fields.map(({ field, from, to }) => `${FIELD_NAMES[field]}: ${arrow(from, to)}`),
    ...children.map(({ list, from, to }) => `${CHILD_NAMES[list]}: ${arrow(text(from), text(to))}`),
    ...reordered.map((list) => `order of the ${CHILD_NAMES[list]}s`),
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

/** A value of people's and programs' choosing, on one line. */
export const short = (value: string): string => {
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > MOST ? `${line.slice(0, MOST).toWellFormed()}…` : line;
};
