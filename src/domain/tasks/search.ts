import { childValue } from "./child.ts";
import { isObject, listField, type Payload, textField } from "../base/payload.ts";
import { invalid } from "../base/refusal.ts";
import { cutText } from "../base/text.ts";

/** The longest query, in characters. */
export const MAX_QUERY = 200;
/** Different tokens in a query, and tokens in all: within a phrase a token may repeat. */
const MAX_DIFFERENT = 16;
const MAX_TOKENS = 24;

/** A search term: everything a person writes between two spaces. */
export type Word = {
  /** In the index's form: one token, or several that must be adjacent and in this order. */
  readonly text: string;
  /** Whether longer words that start with it match too. */
  readonly begins: boolean;
};

/**
 * Returns the words of a query, each once. Ignores punctuation. Refuses a query without any word, one that is
 * too long, and one with too many tokens.
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

/** Splits a searchable text into tokens as the index does. */
export const tokensOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{M}\p{N}\p{Co}\p{So}]+/gu) ?? [];

/** Equal for words that find the same tasks. */
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

/** Explains why text that looks like one word may be many, and what to do. */
const LESS =
  "Search for fewer words or a shorter part of the text. Each part of an address, each emoji, and each character of Chinese, Japanese or Thai counts as a word.";

/**
 * Shorter prefixes would match half of all words. A syllable of Hangul says as much as two or three letters.
 */
const isBeginning = (text: string): boolean => {
  const last = tokensOf(text).at(-1);
  if (last === undefined || !/\p{L}/u.test(last)) return false;
  return Array.from(last).length >= (/\p{scx=Hangul}/u.test(last) ? 2 : 3);
};

/** The searchable parts of a task, as they were written. */
export type SearchText = {
  readonly title: string;
  readonly tabs: string;
  readonly urls: string;
  readonly notes: string;
};

/** Characters that one task may add to each column of the index, and one URL to its column. */
const MAX_TEXT = 100_000;
const MAX_ADDRESS = 1_000;
/** The same, with every accent and every part of a letter counted separately. */
const MAX_APART = 2 * MAX_TEXT;

/** Returns the searchable parts of a task. Reads any payload; ignores what is not text. */
export const searchText = (payload: Payload): SearchText => {
  const pages = listField(payload, "pages");
  const urls = pages.map((page) => childValue("pages", page));
  return {
    title: joined([textField(payload, "title")]),
    tabs: joined(pages.map((page) => (isObject(page) ? textField(page, "title") : null))),
    urls: joined(urls.map((url) => (url === null ? null : cutText(url, MAX_ADDRESS)))),
    notes: joined(listField(payload, "notes").map((note) => childValue("notes", note))),
  };
};

const joined = (texts: readonly (string | null)[]): string =>
  cutText(texts.filter((text) => text !== null).join("\n"), MAX_TEXT);

/** Whether a task has all these words in its text, the tokens of each one after the other in one part of it. */
export const hasWords = (payload: Payload, words: readonly Word[]): boolean => {
  const parts = Object.values(searchText(payload)).map((text) => spaced(searchable(text)));
  return words.every(({ text, begins }) => {
    const sought = begins ? spaced(text).trimEnd() : spaced(text);
    return parts.some((part) => part.includes(sought));
  });
};

/** The tokens with a space before and after each. */
const spaced = (text: string): string => ` ${tokensOf(text).join(" ")} `;

/**
 * Normalises text for the index, so that text that looks alike to a person is found: URLs without their
 * scheme and percent-encoding; letters without case, width and accents; and, one by one, pictures and the
 * characters of scripts that put no spaces between words. Applied both to what is stored and to what is
 * searched for.
 */
export const searchable = (text: string): string => {
  const decoded = readAddresses(text);
  return PLAIN.test(decoded) ? decoded : setApart(decoded);
};

/** ASCII, which the index itself splits the same way. NUL is excluded, because the index cannot hold it. */
const PLAIN = /^[\t-~]*$/;

const readAddresses = (text: string): string => {
  const bare = text.includes("://") ? text.replaceAll(SCHEME, "") : text;
  return bare.includes("%") ? bare.replaceAll(ESCAPES, unescaped) : bare;
};

/** Otherwise `https` would match every task. */
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
    // One character may expand to eighteen.
    .slice(0, MAX_APART)
    // In both directions, because some letters match in only one of them: ß and ss, ς and σ.
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .replaceAll(UNSEEN, "")
    .replaceAll(SIGNS, " ")
    .replaceAll(APART, " $& ");

/** Accents of Latin, Greek and Cyrillic letters. SQLite itself removes only those of Latin ones. */
const ACCENTS = /[\u0300-\u036F]/g;

/** Invisible characters inside a word: soft hyphens, joiners, direction marks. U+200B separates words. */
const UNSEEN = /(?!\u200B)[\p{Cf}\p{Variation_Selector}]/gu;

/**
 * Characters that are not part of a word, including half of a surrogate pair. SQLite treats symbols newer
 * than its tables as letters.
 */
const SIGNS = /[^\p{L}\p{M}\p{N}\p{Co}\p{So}]+/gu;

/** A character of a script without spaces, with its marks; or a picture. */
const APART =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Yiii}\p{scx=Tang}\p{scx=Nshu}\p{scx=Kits}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Lana}\p{scx=Tale}\p{scx=Talu}\p{scx=Tavt}\p{scx=Ahom}\p{scx=Java}\p{scx=Bali}\p{So}]\p{M}*/gu;
