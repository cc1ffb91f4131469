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

/** The class that draws a colour; null for one that we do not know and cannot draw. */
export const colourClass = (colour: string | null): string | null =>
  colour !== null && COLOURS.includes(colour.toLowerCase()) ? `c-${colour.toLowerCase()}` : null;

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** A colour that another client wrote as `#rrggbb`. Nothing else becomes part of a style. */
export const hexColour = (colour: string | null): string | null =>
  colour !== null && HEX.test(colour) ? colour : null;
