/** A task's row, as sync gives and takes it. */
export type Row = {
  readonly id: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly payload: Payload;
  readonly rev?: string;
};

export type Child = {
  readonly id?: string;
  readonly url?: string;
  readonly title?: string;
  readonly text?: string;
  readonly created_by?: string;
};

export type Payload = {
  readonly title?: string;
  readonly colour?: string;
  /** A field that only the extension knows: the id of the task. */
  readonly mark?: string;
  readonly pages?: readonly Child[];
  readonly notes?: readonly Child[];
};

export const LISTS = ["pages", "notes"] as const;

/** Tokens are the letter k and a number, wherever they stand. */
const TOKEN = /\bk\d+\b/;

const tokenOf = (text: string | undefined): string | null =>
  text === undefined ? null : (TOKEN.exec(text)?.[0] ?? null);

export const tokenOfChild = ({ url, text }: Child): string | null => tokenOf(url ?? text);

export const newTab = (token: string): Child => ({
  url: `https://${token}.example/`,
  title: token,
});
export const newNote = (token: string): Child => ({ text: token });

/** The tokens of the tabs and notes, one for each time that they stand there. */
export const childTokens = (payload: Payload): readonly string[] =>
  LISTS.flatMap((list) => (payload[list] ?? []).flatMap((child) => tokenOfChild(child) ?? []));

export const tokensIn = (payload: Payload): ReadonlySet<string> =>
  new Set([
    ...[payload.title, payload.colour].flatMap((text) => tokenOf(text) ?? []),
    ...childTokens(payload),
  ]);
