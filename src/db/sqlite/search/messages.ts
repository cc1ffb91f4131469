import type { FoundPage } from "../../records/lists/task-page.ts";
import type { Asked } from "../../records/lists/task-filter.ts";

/** A message to the search thread. It gets the data directory first. */
export type ToThread =
  | { readonly kind: "ask"; readonly id: number; readonly asked: Asked }
  | { readonly kind: "close" }
  | { readonly kind: "open"; readonly directory: string; readonly patience: number };

/** The answer to a question: a page, that the index is not ready yet, that the thread died, or why reading failed. */
export type Answer =
  | { readonly page: FoundPage }
  | { readonly preparing: true }
  | { readonly died: true }
  | { readonly failed: { readonly message: string; readonly code: string } };

/** A message from the search thread. */
export type FromThread =
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly kind: "closed" };
