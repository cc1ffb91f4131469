import { childValue } from "./child.ts";
import { isObject, listField, type Payload, textField } from "../base/payload.ts";
import { invalid } from "../base/refusal.ts";

/** Characters of a query. */
export const MAX_QUERY = 200;
/**
 * Different tokens of a query, and tokens in all: where words must stand together, one may come again, and SQLite then
 * reads all its places once more. One character asked 200 times took 10 s over 40 long tasks, 24 times takes 1 s.
 */
const MAX_DIFFERENT = 16;
const MAX_TOKENS = 24;

/** What is looked for in a task: all that people write between two spaces. */
export type Word = {
  /** As the index has it: one token, or several which must stand side by side in this order. */
  readonly text: string;
  /** Whether longer words that begin so are found too. */
  readonly begins: boolean;
};

/**
 * The words of a query, each once. Signs between them say nothing; a query without any word, too long or of too many
 * tokens is refused.
 */
export const readWords = (query: string): readonly Word[] => {
  if (query.length > MAX_QUERY)
    throw invalid(`q must have at most ${MAX_QUERY} characters, but has ${query.length}.`);
  const texts = query.split(/\s+/).map((word) => searchable(word).trim());
  const words = new Map(
    texts.filter((text) => TOKEN.test(text)).map((text) => [keyOf(text), text]),
  );
  if (words.size === 0) throw invalid("q must contain at least one word.");
  refuseMany([...words.values()].flatMap(tokensOf));
  return [...words.values()].map((text) => ({ text, begins: isBeginning(text) }));
};

const TOKEN = /[\p{L}\p{N}\p{Co}\p{So}]/u;

/** The tokens that the index makes of a searchable text. */
const tokensOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{M}\p{N}\p{Co}\p{So}]+/gu) ?? [];

/** The same for words that find the same. */
const keyOf = (text: string): string => tokensOf(text).join(" ");

const refuseMany = (tokens: readonly string[]): void => {
  const different = new Set(tokens).size;
  if (different > MAX_DIFFERENT)
    throw invalid(
      `q must contain at most ${MAX_DIFFERENT} different words, but contains ${different}. ${LESS}`,
    );
  if (tokens.length > MAX_TOKENS)
    throw invalid(
      `q must contain at most ${MAX_TOKENS} words in all, repeated ones included, but contains ${tokens.length}. ${LESS}`,
    );
};

/** Why a text that looks like one word may be many, and what to do. */
const LESS =
  "Search for fewer words or a shorter part of the text. Each part of an address, each emoji, and each character of Chinese, Japanese or Thai counts as a word.";

/** Shorter ones would begin half of all words; a syllable of Hangul is as much as two or three letters. */
const isBeginning = (text: string): boolean => {
  const last = tokensOf(text).at(-1);
  if (last === undefined || !/\p{L}/u.test(last)) return false;
  return Array.from(last).length >= (/\p{scx=Hangul}/u.test(last) ? 2 : 3);
};

/** What of a task can be searched, as it was written. */
export type SearchText = {
  readonly title: string;
  readonly tabs: string;
  readonly urls: string;
  readonly notes: string;
};

/** Characters that one task may add to each column of the index, and one address to its column. */
const MAX_TEXT = 100_000;
const MAX_ADDRESS = 1_000;
/** The same, with every accent and every part of a letter counted for itself. */
const MAX_APART = 2 * MAX_TEXT;

/** What of a task can be searched. Reads any payload: what is no text is passed over. */
export const searchText = (payload: Payload): SearchText => {
  const pages = listField(payload, "pages");
  const urls = pages.map((page) => childValue("pages", page));
  return {
    title: joined([textField(payload, "title")]),
    tabs: joined(pages.map((page) => (isObject(page) ? textField(page, "title") : null))),
    urls: joined(urls.map((url) => url?.slice(0, MAX_ADDRESS) ?? null)),
    notes: joined(listField(payload, "notes").map((note) => childValue("notes", note))),
  };
};

const joined = (texts: readonly (string | null)[]): string =>
  texts
    .filter((text) => text !== null)
    .join("\n")
    .slice(0, MAX_TEXT);

/**
 * Text as the index takes it, so that what looks alike to a person is found: addresses without their scheme
 * and percent-encoding, letters without case, width and accents; characters of scripts that put no spaces between
 * words, and pictures, one by one. The same for what is kept and for what is asked.
 */
export const searchable = (text: string): string => {
  const told = readAddresses(text);
  return PLAIN.test(told) ? told : setApart(told);
};

/** ASCII, which the index itself takes apart just so. NUL it could not hold. */
const PLAIN = /^[\t-~]*$/;

const readAddresses = (text: string): string => {
  const bare = text.includes("://") ? text.replaceAll(SCHEME, "") : text;
  return bare.includes("%") ? bare.replaceAll(ESCAPES, unescaped) : bare;
};

/** Else `https` would be found in every task. */
const SCHEME = /\bhttps?:\/\//gi;
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

const unescaped = (escapes: string): string => {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
};

const setApart = (text: string): string =>
  text
    .normalize("NFKD")
    // One character may become eighteen of them.
    .slice(0, MAX_APART)
    // Both ways, because some letters are alike in only one of them: ß and ss, ς and σ.
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .replaceAll(UNSEEN, "")
    .replaceAll(SIGNS, " ")
    .replaceAll(APART, " $& ");

/** Of Latin, Greek and Cyrillic letters; SQLite itself takes away those of Latin ones alone. */
const ACCENTS = /[\u0300-\u036F]/g;

/** What is not seen inside a word: soft hyphens, joiners, marks of direction. U+200B is a gap between words. */
const UNSEEN = /(?!\u200B)[\p{Cf}\p{Variation_Selector}]/gu;

/** What is no part of a word; half of a surrogate pair is one too. SQLite takes newer signs than it knows for letters. */
const SIGNS = /[^\p{L}\p{M}\p{N}\p{Co}\p{So}]+/gu;

/** A character of a script without spaces, with the marks on it; or a picture. */
const APART =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Yiii}\p{scx=Tang}\p{scx=Nshu}\p{scx=Kits}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Lana}\p{scx=Tale}\p{scx=Talu}\p{scx=Tavt}\p{scx=Ahom}\p{scx=Java}\p{scx=Bali}\p{So}]\p{M}*/gu;
