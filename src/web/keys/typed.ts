import { isName, parseLifetime } from "../../apikey.ts";
import type { Scope } from "../../caller.ts";
import type { Instant } from "../../instant.ts";
import { field, type Form, type Problems } from "../form.ts";

/** What was typed into the form that makes a key. */
export type TypedKey = {
  readonly name: string;
  readonly read: boolean;
  readonly write: boolean;
  readonly expires: string;
};

/** What the form shows at first: a key that only reads, for 90 days. */
export const NEW_KEY: TypedKey = { name: "", read: true, write: false, expires: "90d" };

export const LIFETIMES = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["365d", "365 days"],
  ["never", "Never: until you revoke it"],
] as const;

/** A box that is not ticked is not sent. */
export const typedKey = (form: Form): TypedKey => ({
  name: field(form, "name"),
  read: form.has("read"),
  write: form.has("write"),
  expires: field(form, "expires"),
});

export const scopesOf = ({ read, write }: TypedKey): readonly Scope[] => [
  ...(read ? (["read"] as const) : []),
  ...(write ? (["write"] as const) : []),
];

/** When a key of the typed lifetime ends, null for never. */
export const expiryOf = ({ expires }: TypedKey, now: Instant): Instant | null => {
  const lifetime = parseLifetime(expires) ?? 0;
  return Number.isFinite(lifetime) ? now + lifetime : null;
};

/** What is wrong with what was typed, by the form's fields. */
export const problemsOf = (typed: TypedKey): Problems => ({
  ...nameProblem(typed.name.trim()),
  ...(scopesOf(typed).length === 0
    ? { scopes: "Tick at least one: a key without any could do nothing." }
    : {}),
  ...(LIFETIMES.some(([value]) => value === typed.expires)
    ? {}
    : { expires: "Choose one of these." }),
});

const nameProblem = (name: string): Problems => {
  if (name === "") return { name: "Give the key a name: who or what will use it." };
  return isName(name)
    ? {}
    : { name: "A name has up to 100 characters, none of them invisible: this one cannot be used." };
};
