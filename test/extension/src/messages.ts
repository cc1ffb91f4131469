/** What the options page asks the worker to do. */
export type Message =
  | { readonly kind: "finishTask"; readonly id: string }
  | { readonly kind: "pair"; readonly server: string; readonly code: string }
  | { readonly kind: "saveWindow"; readonly windowId: number }
  | { readonly kind: "signIn"; readonly server: string }
  | { readonly kind: "signOut" }
  | { readonly kind: "sync" };

/** The worker's answer. `problem` is a sentence, or null if all went well. */
export type Reply = { readonly problem: string | null };
