/**
 * Characters that are invisible or change how the text around them is shown. With them, the title of a web page can
 * hide words from a person that a language model still reads. They are Unicode's ignorable characters (including tags
 * and variation selectors), direction controls, control characters except tab and line feed, lone surrogates, line
 * and paragraph separators, and the interlinear annotation and object replacement characters.
 */
const HIDDEN = /[[\p{DI}\p{Bidi_C}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffc]--[\t\n]]/gv;

/** Most texts are ids, times and urls, and contain none of these. */
const PLAIN = /^[\t\n -~]*$/;

/**
 * Returns text in a form that is safe for an agent to read. Characters that are invisible or change the direction of
 * text become visible escapes (`\u{202e}`); everything else is unchanged. Applying it twice changes nothing more.
 */
export const sanitise = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(HIDDEN, (character, at: number) =>
        belongs(character, text.slice(Math.max(at - 3, 0), at), text.charAt(at + 1))
          ? character
          : escaped(character),
      );

/** Scripts in use today in which a joiner changes how a letter is written, so it is part of the spelling. */
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

/**
 * Whether a character is a legitimate part of its surroundings: of a spelling, an emoji sequence, a keycap or a line
 * end.
 */
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
