/** The colours that people choose from. Other clients may store any text. */
export const COLOURS = [
  "red",
  "orange",
  "yellow",
  "green",
  "teal",
  "blue",
  "purple",
  "pink",
  "grey",
];

/** Names of browsers and other clients for the same colours. */
const ALIASES: Readonly<Record<string, string>> = { cyan: "teal", gray: "grey" };

/** The class that draws a colour; null for one that we do not know and cannot draw. */
export const colourClass = (colour: string | null): string | null => {
  const name = colour?.toLowerCase() ?? "";
  const known = ALIASES[name] ?? name;
  return COLOURS.includes(known) ? `c-${known}` : null;
};

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** A colour that another client wrote as `#rrggbb`. Nothing else becomes part of a style. */
export const hexColour = (colour: string | null): string | null =>
  colour !== null && HEX.test(colour) ? colour : null;

/** What makes `--dot` the colour of a group, in the style of an element and all that is in it. */
export const inColour = (colour: string | null, name: string) => {
  const hex = hexColour(colour);
  return {
    class: `${name} ${colourClass(colour) ?? ""}`,
    ...(hex === null ? {} : { style: { "--dot": hex } }),
  };
};
