import { effect, type Signal, signal } from "@preact/signals";
import type { ClientState } from "../../client/client.ts";
import { browserName } from "../../domain/people/session.ts";
import type { Connection } from "../connect/connection.ts";

/** Who is signed in; null while nobody is. */
export const connected = signal<Connection | null>(null);

/** Whether somebody has signed in on this page, and done nothing with it yet. */
export const isNew = signal(false);

/** What the store says about its sync; null while it is not open. */
export const stored = signal<ClientState | null>(null);

/** What a field holds. It is there again after a reload, until the page is closed. */
const typedIn = (field: string, first: string): Signal<string> => {
  const text = signal(sessionStorage.getItem(field) ?? first);
  effect(() => sessionStorage.setItem(field, text.value));
  return text;
};

/** What the address field holds. */
export const typed = typedIn("address", "");

/** What was typed as the new address of a server that has moved. */
export const newAddress = typedIn("new address", "");

/** What the field for the name of this device holds. */
export const typedName = typedIn("device", browserName(navigator.userAgent));

/** A sentence about what was just done, and whether it went well. */
export type Outcome = {
  readonly kind: "bad" | "busy" | "good";
  readonly text: string;
  /** A page of the guides that says how to set it right. */
  readonly guide?: Guide | null;
};

export type Guide = { readonly name: string; readonly href: string };

export const outcome = signal<Outcome | null>(null);

/** A sign-in at another address waits for the answer to this. */
export type Question = {
  readonly from: string;
  readonly to: string;
  readonly answer: (mayMove: boolean) => void;
};

export const question = signal<Question | null>(null);

export const closes = signal(false);
