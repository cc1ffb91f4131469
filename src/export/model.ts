/** A task as other tools can hold it. */
export type ExportedTask = {
  /** The name of its folder; empty for none. */
  readonly folder: string;
  readonly title: string;
  readonly status: string;
  readonly due: string | null;
  readonly tags: readonly string[];
  readonly tabs: readonly {
    readonly url: string;
    readonly title: string;
    /** An RFC 3339 time, or null. */
    readonly addedAt: string | null;
  }[];
  readonly notes: readonly string[];
};

/** Writes tasks, folder by folder, in pieces of text. */
export type Writer = (tasks: AsyncIterable<ExportedTask>) => AsyncGenerator<string>;

/** Whether other tools can open an address. */
export const isOnWeb = ({ url }: { readonly url: string }): boolean => /^https?:\/\//i.test(url);
