/**
 * The colours that people choose from, as they are drawn. The app's style sheet has the same ones. Other clients may
 * store any text.
 */
export const SHADES: Readonly<Record<string, string>> = {
  red: "#e5484d",
  orange: "#f0812f",
  yellow: "#e0b400",
  green: "#30a46c",
  teal: "#12a594",
  blue: "#3b82f6",
  purple: "#8e4ec6",
  pink: "#d6409f",
  grey: "#8b8d98",
};

/** Names of browsers and other clients for the same colours. */
const ALIASES: Readonly<Record<string, string>> = { cyan: "teal", gray: "grey" };

/** Returns which of the colours a text names; null if it names none of them. */
export const knownColour = (text: string | null): string | null => {
  const name = text?.toLowerCase() ?? "";
  const known = ALIASES[name] ?? name;
  return Object.hasOwn(SHADES, known) ? known : null;
};

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** A colour that another client wrote as `#rrggbb`. Nothing else becomes part of a style. */
export const hexColour = (text: string | null): string | null =>
  text !== null && HEX.test(text) ? text : null;

/** Returns the name that people would give a colour that `hexColour` returned: one of ours, `black` or `white`. */
export const nearestName = (hex: string): string => {
  const shade = partsOf(hex);
  const [least, most] = [Math.min(...shade), Math.max(...shade)];
  if (most < 48) return "black";
  if (most - least < 24) return least > 230 ? "white" : "grey";
  const hue = hueOf(shade);
  const distances = Object.entries(SHADES)
    .filter(([name]) => name !== "grey")
    .map(([name, other]) => [name, around(hue - hueOf(partsOf(other)))] as const);
  return distances.reduce((best, one) => (one[1] < best[1] ? one : best))[0];
};

type Parts = readonly [red: number, green: number, blue: number];

const partsOf = (hex: string): Parts => {
  const digits = hex.length === 4 ? hex.replaceAll(/[^#]/g, "$&$&") : hex;
  const at = (from: number): number => Number.parseInt(digits.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
};

/** The hue in degrees, from red over green and blue to red again. */
const hueOf = ([red, green, blue]: Parts): number => {
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const span = most - least;
  if (most === red) return 60 * ((green - blue) / span);
  return most === green ? 60 * (2 + (blue - red) / span) : 60 * (4 + (red - green) / span);
};

/** How far apart two hues are, the shorter way round. */
const around = (degrees: number): number => {
  const turn = Math.abs(degrees) % 360;
  return Math.min(turn, 360 - turn);
};
