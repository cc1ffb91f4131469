/** A part of a message for which an entry point may have words of its own. */
export type Term =
  | { readonly parameter: string }
  | { readonly call: "listFolders" }
  | { readonly header: "Idempotency-Key" }
  | { readonly phrase: "a different body" | "the same body" | "The body contains" };

/** What is told: plain text, or text with terms in it, as `say` puts it together. */
export type Message = string | readonly (Term | string)[];

/** The words in which an entry point puts a term. */
export type Words = (term: Term) => string;

/** A message with terms in it: say`${{ parameter: "limit" }} must be at most ${most}.` */
export const say = (
  texts: readonly string[],
  ...values: readonly (Term | number | string)[]
): Message =>
  texts.flatMap((text, index) => {
    const value = values[index] ?? "";
    return [text, typeof value === "object" ? value : String(value)];
  });

/** A message in the words of one entry point. */
export const inWords = (message: Message, words: Words): string =>
  typeof message === "string"
    ? message
    : message.map((part) => (typeof part === "string" ? part : words(part))).join("");

/** The words of the API on the wire, and of all that has none of its own. */
export const WIRE_WORDS: Words = (term) => {
  if ("parameter" in term) return `Query parameter ${term.parameter}`;
  if ("call" in term) return CALLS[term.call];
  return "header" in term ? term.header : term.phrase;
};

const CALLS = { listFolders: "GET /projects" } as const;
