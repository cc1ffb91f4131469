/**
 * Someone else's text within a line of ours. Its direction does not affect the rest of the line, and
 * characters that would steer the line (control characters, changes of direction) are shown, not obeyed.
 */
export const Shown = ({ text }: { readonly text: string }) => <bdi>{shownText(text)}</bdi>;

/** The same for places that take no elements: attributes, options, charts. */
export const shownText = (text: string): string =>
  text.replaceAll(/[\t\n\r\p{Zl}\p{Zp}]/gu, " ").replaceAll(STEERING, "\uFFFD");

/** The same with its line breaks kept, for a `pre`. */
export const shownLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(shownText)
    .join("\n");

const STEERING = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;
