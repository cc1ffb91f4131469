/**
 * Characters that show nothing, or change how what stands around them is shown: with them a page's title can
 * hide words from its reader which a language model reads all the same (security.md, section 6.3). In order:
 * controls but tab and line feed, soft hyphen, Arabic letter mark, Hangul and Mongolian fillers, zero-width and
 * bidirectional marks, line separators, bidirectional embeddings and isolates, invisible operators, byte order
 * mark, interlinear marks, the object character, tags, and variation selectors but those of emoji.
 */
const HIDDEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffc\ud800-\udfff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/**
 * Joiners and the selectors of an emoji's form belong to letters of some scripts and to emoji, one behind each.
 * Behind ASCII (but for keycaps), at the beginning or in a row they can only carry a message.
 */
const JOINERS =
  /(?<=^|[\0-\x7f\u200c\u200d\ufe0e\ufe0f])(?:[\u200c\ufe0e]|(?<![\d#*])\ufe0f|(?<!\ufe0f)\u200d)/gu;

/**
 * Text that came from pages, as an agent may read it: what is invisible or turns the text around stands there
 * as an escape that everyone can see (`\u{202e}`). All else is as it was.
 */
export const inert = (text: string): string =>
  text.replace(JOINERS, escaped).replace(HIDDEN, escaped);

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
