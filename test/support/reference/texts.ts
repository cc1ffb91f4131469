import { readdirSync } from "node:fs";
import { join } from "node:path";
import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { slugger } from "../../../src/reference/markdown.ts";

export const ROOT = join(import.meta.dir, "../../..");

const GUIDES = "src/reference/guides";

/** The files that people read: the README and all guides, as paths from the root. */
export const TEXTS: readonly string[] = [
  "README.md",
  ...readdirSync(join(ROOT, GUIDES)).map((name) => `${GUIDES}/${name}`),
];

export type Text = {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The anchors that GitHub gives to its headings. */
  readonly anchors: readonly string[];
};

export const readText = async (path: string): Promise<Text> => {
  const text = await Bun.file(join(ROOT, path)).text();
  const tokens = tokensOf(text);
  const slug = slugger();
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === "heading");
  return { path, text, tokens, anchors: headings.map((heading) => slug(heading.text)) };
};

/** Returns all tokens of a text, including nested ones. */
const tokensOf = (text: string): readonly Token[] => {
  const found: Token[] = [];
  walkTokens(lexer(text), (token) => void found.push(token));
  return found;
};

/** Returns where the links of a text lead, as written. */
export const linksOf = ({ tokens }: Text): readonly string[] =>
  tokens.filter((token): token is Tokens.Link => token.type === "link").map(({ href }) => href);

/** Returns the code in a text: inline code, and the lines of shell blocks. */
export const codeOf = ({ tokens }: Text): readonly string[] =>
  tokens.flatMap((token) => {
    if (token.type === "codespan") return [(token as Tokens.Codespan).text];
    const { type, lang = "", text = "" } = token as Tokens.Code;
    return type === "code" && ["sh", "bash"].includes(lang) ? text.split("\n") : [];
  });
