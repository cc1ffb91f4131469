/** How one job went through the program. */
export type Walk = {
  readonly name: string;
  /** The files of `src`, in the order in which the job entered them. */
  readonly files: readonly string[];
  /** Files that only answer: they call no other file. */
  readonly asked: readonly string[];
  /** Where it called into a file that it had already left. */
  readonly returns: readonly string[];
};
