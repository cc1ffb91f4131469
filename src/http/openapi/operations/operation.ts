import type { RefusalStatus } from "../refusals.ts";

/** What the document says about a route, except what follows from the route's line. */
export type Operation = {
  readonly id: string;
  readonly tag: "Account" | "Agents" | "Folders" | "Server" | "Sign-in" | "Sync" | "Tasks";
  readonly summary: string;
  readonly description?: string;
  /** For each query parameter: its meaning, and anything the handler checks that the schema does not. */
  readonly query?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** An example of the body. `form` is the name of a form's schema, because forms have none in the route table. */
  readonly body?: { readonly example: unknown; readonly form?: string };
  readonly reply: {
    readonly description: string;
    readonly shape: string;
    /** The schema of the reply to a key without the `read` scope, if it gets another one. */
    readonly withoutRead?: string;
    readonly example: unknown;
    /** When a route that creates something replies with 200, because there is nothing to create. */
    readonly nothing?: string;
    /** Whether the reply has an `ETag`. */
    readonly tagged?: true;
  };
  /** Refusals in addition to those that follow from the route's line. */
  readonly refusals?: readonly RefusalStatus[];
};

export type Operations = Readonly<Record<string, Operation>>;
