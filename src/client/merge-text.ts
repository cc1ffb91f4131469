// Two people changed one text. What they changed in different places both stays: the texts are compared line by line,
// then, where both changed the same lines, word by word.

/** A note can have many lines, a title has one. */
export type TextKind = "note" | "title";

export type MergedText = {
  readonly text: string;
  /** Whether both changed the same words, and only mine are in `text`. */
  readonly lostTheirs: boolean;
};

/**
 * Makes the change from `base` to `mine` in `theirs`. Where both changed the same words, a note keeps both versions of
 * its lines, mine first. A title has one line, and keeps mine.
 */
export const mergeText = (
  base: string,
  mine: string,
  theirs: string,
  kind: TextKind,
): MergedText => {
  let lostTheirs = false;
  const text = mergeParts(linesOf(base), linesOf(mine), linesOf(theirs), (was, made, is) => {
    if (was === "") return joined(is, made, kind === "note" ? "\n" : " ");
    const words = mergeWords(was, made, is);
    if (words !== null) return words;
    lostTheirs ||= kind === "title";
    return kind === "title" ? made : joined(made, is, "\n");
  });
  return { text, lostTheirs };
};

/** Returns null if both changed the same words. */
const mergeWords = (base: string, mine: string, theirs: string): string | null => {
  let isClear = true;
  const text = mergeParts(wordsOf(base), wordsOf(mine), wordsOf(theirs), (was, made, is) => {
    if (was === "") return joined(is, made, " ");
    // What one side took away and the other changed stays.
    if (made === "" || is === "") return made + is;
    isClear = false;
    return made;
  });
  return isClear ? text : null;
};

/** Returns both of two texts that came to one place. */
const joined = (first: string, second: string, between: string): string => {
  if (first.startsWith(second)) return first;
  if (second.startsWith(first)) return second;
  return /\s$/.test(first) || /^\s/.test(second) ? first + second : first + between + second;
};

type Parts = readonly string[];

const linesOf = (text: string): Parts => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Words, blanks and signs. In scripts that put no blanks between words, each character is a part. */
const wordsOf = (text: string): Parts => text.match(WORDS) ?? [];

const APART = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}]";
const WORD = `(?:(?!${APART})[\\p{L}\\p{N}_]\\p{M}*)+`;
/** With all that belongs to one emoji. */
const SIGN = "\\S(?:\\p{M}|\\p{EMod}|\\u200D\\S)*";
const WORDS = new RegExp(`\\s+|${APART}\\p{M}*|${WORD}|\\p{RI}\\p{RI}|${SIGN}`, "gu");

/** `decide` says what comes in the place of parts that both changed. */
const mergeParts = (
  base: Parts,
  mine: Parts,
  theirs: Parts,
  decide: (was: string, made: string, is: string) => string,
): string => {
  const [myChanges, theirChanges] = [changesIn(base, mine), changesIn(base, theirs)];
  let merged = "";
  let at = 0;
  for (const place of placesOf([...myChanges, ...theirChanges])) {
    const was = base.slice(place.from, place.to).join("");
    const [made, is] = [partOf(base, myChanges, place), partOf(base, theirChanges, place)];
    merged += base.slice(at, place.from).join("");
    if (made === is || is === was) merged += made;
    else merged += made === was ? is : decide(was, made, is);
    at = place.to;
  }
  return merged + base.slice(at).join("");
};

/** Parts of the base: from one index up to another. Where something is only put in, both are the same. */
type TextRange = { readonly from: number; readonly to: number };
type Change = TextRange & { readonly by: Parts };

/** Returns the changes that make one text of the other: all that is between the parts that they share. */
const changesIn = (base: Parts, made: Parts): readonly Change[] => {
  const changes: Change[] = [];
  let [from, start] = [0, 0];
  for (const [to, end] of [...sharedIn(base, made), [base.length, made.length] as const]) {
    if (to > from || end > start) changes.push({ from, to, by: made.slice(start, end) });
    [from, start] = [to + 1, end + 1];
  }
  return changes;
};

/** Returns where changes are. Those of the same parts are at one place. */
const placesOf = (changes: readonly Change[]): readonly TextRange[] => {
  const places: TextRange[] = [];
  for (const { from, to } of changes.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = places.at(-1);
    if (last && (from < last.to || (from === last.from && to === last.to)))
      places.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
    else places.push({ from, to });
  }
  return places;
};

/** Returns the text that changes make of a place. What is put in at either end of it has a place of its own. */
const partOf = (base: Parts, changes: readonly Change[], { from, to }: TextRange): string => {
  let text = "";
  let at = from;
  for (const change of changes) {
    const isAtEnd = change.from === change.to && (change.from === from || change.from === to);
    if (change.from < from || change.to > to || (isAtEnd && from < to)) continue;
    text += base.slice(at, change.from).join("") + change.by.join("");
    at = change.to;
  }
  return text + base.slice(at, to).join("");
};

type Pair = readonly [inBase: number, inMade: number];

/** Returns the parts that two texts share, in their order, each by its two indexes. */
const sharedIn = (base: Parts, made: Parts): readonly Pair[] => {
  const most = Math.min(base.length, made.length);
  let [head, tail] = [0, 0];
  while (head < most && base[head] === made[head]) head += 1;
  while (tail < most - head && base.at(-1 - tail) === made.at(-1 - tail)) tail += 1;
  const middle = longestShared(
    base.slice(head, base.length - tail),
    made.slice(head, made.length - tail),
  ).map(([at, to]): Pair => [head + at, head + to]);
  return [
    ...pairsFrom(0, 0, head),
    ...middle.filter(([at], index) => {
      // A blank alone between two changes is no place that both have left as it was.
      const isApart = middle[index - 1]?.[0] !== at - 1 && middle[index + 1]?.[0] !== at + 1;
      return !isApart || (base[at] ?? "").trim() !== "";
    }),
    ...pairsFrom(base.length - tail, made.length - tail, tail),
  ];
};

const pairsFrom = (inBase: number, inMade: number, length: number): readonly Pair[] =>
  Array.from({ length }, (_, at) => [inBase + at, inMade + at]);

/** In steps, each of some ns. Texts that differ in more parts than this share nothing. */
const MOST = 4_000_000;

/** The longest common subsequence. */
const longestShared = (base: Parts, made: Parts): readonly Pair[] => {
  if (base.length * made.length > MOST) return [];
  const width = made.length + 1;
  const longest = new Uint16Array((base.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = base.length - 1; i >= 0; i--)
    for (let j = made.length - 1; j >= 0; j--)
      longest[i * width + j] =
        base[i] === made[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: Pair[] = [];
  for (let [i, j] = [0, 0]; i < base.length && j < made.length;)
    if (base[i] === made[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return pairs;
};
