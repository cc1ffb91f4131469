/** What the options page asks of the worker. */
export type Message =
  | { readonly kind: "finishTask"; readonly id: string }
  | { readonly kind: "pair"; readonly server: string; readonly code: string }
  | { readonly kind: "saveWindow"; readonly windowId: number }
  | { readonly kind: "signIn"; readonly server: string }
  | { readonly kind: "signOut" }
  | { readonly kind: "sync" };

/** What the worker answers: a sentence where something went wrong. */
export type Reply = { readonly problem: string | null };
