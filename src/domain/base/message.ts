/** A part of a message that REST, MCP and the pages may each put in their own words. */
export type Term =
  | { readonly parameter: string }
  | { readonly call: "listFolders" | "listTasks" }
  | { readonly header: "Idempotency-Key" }
  | { readonly phrase: "a different body" | "the same body" | "The body contains" };

/** Plain text, or text with terms in it, as `say` returns it. */
export type Message = string | readonly (Term | string)[];

/** Returns the text for a term. */
export type Words = (term: Term) => string;

/** Builds a message with terms: say`${{ parameter: "limit" }} must be at most ${most}.` */
export const say = (
  texts: readonly string[],
  ...values: readonly (Term | number | string)[]
): Message =>
  texts.flatMap((text, index) => {
    const value = values[index] ?? "";
    return [text, typeof value === "object" ? value : String(value)];
  });

/** Returns the message as text, with its terms in the given words. */
export const inWords = (message: Message, words: Words): string =>
  typeof message === "string"
    ? message
    : message.map((part) => (typeof part === "string" ? part : words(part))).join("");

/** The words of the REST API, and the default elsewhere. */
export const WIRE_WORDS: Words = (term) => {
  if ("parameter" in term) return `Query parameter ${term.parameter}`;
  if ("call" in term) return CALLS[term.call];
  return "header" in term ? term.header : term.phrase;
};

const CALLS = { listFolders: "GET /projects", listTasks: "GET /tasks" } as const;
