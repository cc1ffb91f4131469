/** What a look at one part of a server found. */
export type Finding = {
  /** The part, in a word or two. */
  readonly about: string;
  /** `note`: nothing is wrong, but its owner may want to know. */
  readonly state: "note" | "ok" | "problem";
  /** What was found, as a sentence. */
  readonly found: string;
  /** What to do; null if there is nothing to do. */
  readonly mend: string | null;
};

export const ok = (about: string, found: string): Finding => ({
  about,
  state: "ok",
  found,
  mend: null,
});

export const note = (about: string, found: string, mend: string): Finding => ({
  about,
  state: "note",
  found,
  mend,
});

export const problem = (about: string, found: string, mend: string): Finding => ({
  about,
  state: "problem",
  found,
  mend,
});
