import type { Author } from "../../domain/people/caller.ts";
import { type Instant, parseInstant } from "../../domain/base/instant.ts";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";

/**
 * Who created something: the account's person, or an agent with a key. A key's name may be too long for a
 * badge.
 */
const Maker = ({ of: { created_by, created_by_key } }: { readonly of: Author }) => (
  <>
    <span class="badge plain">{created_by === "person" ? "by you" : "by an agent"}</span>
    {created_by_key !== null && (
      <>
        {" "}
        <Shown text={created_by_key} />
      </>
    )}
  </>
);

type MadeProps = { readonly by: Author; readonly at: Instant | null };

/** Who created something, and when, if that is known: a device may not have stored it. */
export const Made = ({ by, at }: MadeProps) => (
  <>
    <Maker of={by} />{" "}
    {at !== null && (
      <span class="quiet-text">
        <Time at={at} />
      </span>
    )}
  </>
);

/** A time, as it is stored in a record. */
export const instantOf = (text: string | null): Instant | null =>
  text === null ? null : parseInstant(text);
