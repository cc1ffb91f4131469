import type { Sentence, Who } from "../../domain/history/event.ts";
import { Shown } from "./shown.tsx";

/** A sentence about what happened, with a name in it that someone else chose. */
export const Said = ({ of: [before, name, after] }: { readonly of: Sentence }) => (
  <>
    {before}
    {name && <Shown text={name} />}
    {after}
  </>
);

/** Who did something. */
export const Doer = ({ of: { words, name } }: { readonly of: Who }) => (
  <Said of={[words, name, ""]} />
);
