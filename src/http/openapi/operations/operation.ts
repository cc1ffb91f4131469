import type { RefusalStatus } from "../refusals.ts";

/** What the document says of one route beside what follows from its line: its words, and its shapes by name. */
export type Operation = {
  readonly id: string;
  readonly tag: "Account" | "Folders" | "Server" | "Sign-in" | "Sync" | "Tasks";
  readonly summary: string;
  readonly description?: string;
  /** What each query parameter means, and what is judged of it beside its schema. */
  readonly query?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** An example of the body; a form's shape too, as its schema is none of the route's. */
  readonly body?: { readonly example: unknown; readonly form?: string };
  readonly reply: {
    readonly description: string;
    readonly shape: string;
    readonly example: unknown;
    /** Whether it carries an `ETag`. */
    readonly tagged?: true;
  };
  /** Refusals beside those that follow from the line. */
  readonly refusals?: readonly RefusalStatus[];
};

export type Operations = Readonly<Record<string, Operation>>;
