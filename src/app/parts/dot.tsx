import { hexColour } from "../../domain/tasks/colour.ts";
import { colourClass } from "../words/colours.ts";

/** The colour of a task or folder, as a dot. Without a colour, an empty ring. */
export const Dot = ({ colour }: { readonly colour: string | null }) => {
  const hex = hexColour(colour);
  return (
    <span
      class={`dot ${hex === null ? (colourClass(colour) ?? "none") : "own"}`}
      {...(hex === null ? {} : { style: { backgroundColor: hex } })}
      aria-hidden="true"
    />
  );
};
