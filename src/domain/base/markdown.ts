/** Escapes what Markdown would read as a mark or as the end of a link. */
export const escapedMarkdown = (text: string): string =>
  text.replaceAll(/[\\[\]`*_<>]/g, String.raw`\$&`);

/** Reads what Markdown escapes. */
export const unescapedMarkdown = (text: string): string =>
  text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
