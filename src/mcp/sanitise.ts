/**
 * Characters that show nothing, or change how what stands around them is shown: with them a page's title can
 * hide words from its reader which a language model reads all the same (security.md, section 6.3). Unicode's
 * ignorable ones (tags and variation selectors are among them), those that turn the text's direction, controls
 * but tab and line feed, halves of characters, line separators, and marks of things that are not there.
 */
const HIDDEN = /[[\p{DI}\p{Bidi_C}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffc]--[\t\n]]/gv;

/** Most texts are ids, times and addresses, which have nothing of this. */
const PLAIN = /^[\t\n -~]*$/;

/**
 * Text that came from pages, as an agent may read it: what is invisible or turns the text around stands there
 * as an escape that everyone can see (`\u{202e}`). All else is as it was. Done again, it changes nothing.
 */
export const sanitise = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(HIDDEN, (character, at: number) =>
        belongs(character, text.slice(Math.max(at - 3, 0), at), text.charAt(at + 1))
          ? character
          : escaped(character),
      );

/** Living scripts whose letters are written otherwise before a joiner: it is part of their spelling. */
const SCRIPTS = [
  "Adlm Arab Mong Nkoo Syrc",
  "Beng Deva Gujr Guru Knda Mlym Orya Sinh Taml Telu",
  "Bali Cakm Java Khmr Lana Mymr Sund Tibt",
]
  .flatMap((names) => names.split(" "))
  .map((script) => `\\p{scx=${script}}`);

const JOINING = new RegExp(`[[${SCRIPTS.join("")}]--\\p{DI}]$`, "v");
const PICTURE = /[\p{ExtPict}\p{EMod}]\ufe0f?$/v;
const EMOJI = /[\p{Emoji}--[\0-\x7f]]$/v;

/** Whether it is a part of what stands around it: a spelling, an emoji of several, a keycap, a line's end. */
const belongs = (character: string, before: string, after: string): boolean => {
  switch (character) {
    case "\u200c":
      return JOINING.test(before);
    case "\u200d":
      return JOINING.test(before) || PICTURE.test(before);
    case "\ufe0e":
      return EMOJI.test(before);
    case "\ufe0f":
      return EMOJI.test(before) || (after === "\u20e3" && /[\d#*]$/.test(before));
    default:
      return character === "\r" && after === "\n";
  }
};

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
