/** The walk of one job through the program. */
export type Walk = {
  readonly name: string;
  /** The files of `src`, in the order in which the job entered them. */
  readonly files: readonly string[];
  /** Files that only answer: they call no other file. */
  readonly asked: readonly string[];
  /** Calls into a file that the walk had already left. */
  readonly returns: readonly string[];
};
