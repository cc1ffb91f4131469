/**
 * Text of others on one line of ours: it keeps to its place whatever its direction, and what would steer the
 * line (control characters, changes of direction) is seen instead of obeyed.
 */
export const Shown = ({ text }: { readonly text: string }) => <bdi>{shownText(text)}</bdi>;

/** The same where no element can stand: in an attribute, an option, a chart. */
export const shownText = (text: string): string =>
  text.replaceAll(/[\t\n\r\p{Zl}\p{Zp}]/gu, " ").replaceAll(STEERING, "\uFFFD");

/** The same with its lines kept, for a `pre`. */
export const shownLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(shownText)
    .join("\n");

const STEERING = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;
