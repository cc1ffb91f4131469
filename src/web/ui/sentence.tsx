import type { Sentence, Who } from "../../domain/history/event.ts";
import { Shown } from "./shown.tsx";

/** What happened, with a name of others' choosing in it. */
export const Said = ({ of: [before, name, after] }: { readonly of: Sentence }) => (
  <>
    {before}
    {name && <Shown text={name} />}
    {after}
  </>
);

/** Whoever did something. */
export const Doer = ({ of: { words, name } }: { readonly of: Who }) => (
  <Said of={[words, name, ""]} />
);
