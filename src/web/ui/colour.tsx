import { hexColour, knownColour, nearestName, SHADES } from "../../domain/tasks/colour.ts";
import { Shown } from "./shown.tsx";

/** A colour with its name. One that we cannot draw is shown as its client wrote it. */
export const Colour = ({ text }: { readonly text: string }) => {
  const hex = hexColour(text);
  const name = hex === null ? knownColour(text) : nearestName(hex);
  const shade = hex ?? SHADES[name ?? ""];
  if (name === null || shade === undefined) return <Shown text={text} />;
  return (
    <span class="swatch">
      {/* Our policy allows no style in a page, but it allows the attributes of a drawing. */}
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle cx="6" cy="6" r="5.5" fill={shade} />
      </svg>
      {name}
    </span>
  );
};
