import { hexColour, knownColour, SHADES } from "../../domain/tasks/colour.ts";

/** The colours that people choose from. */
export const COLOURS = Object.keys(SHADES);

/** The class that draws a colour; null for one that we do not know and cannot draw. */
export const colourClass = (colour: string | null): string | null => {
  const known = knownColour(colour);
  return known === null ? null : `c-${known}`;
};

/** What makes `--dot` the colour of a group, in the style of an element and all that is in it. */
export const inColour = (colour: string | null, name: string) => {
  const hex = hexColour(colour);
  return {
    class: `${name} ${colourClass(colour) ?? ""}`,
    ...(hex === null ? {} : { style: { "--dot": hex } }),
  };
};

/** A hue for a name, the same one each time, in degrees: for tags, and for sites without an icon. */
const hueOf = (name: string): number => {
  let sum = 0;
  for (const character of name.toLowerCase())
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return sum;
};

/** What tints an element in the colour of a name. */
export const tinted = (name: string) => ({ style: { "--hue": hueOf(name) } });

const NUMBER = new Intl.NumberFormat();

/** "1 task", "1,200 tasks". */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(n)} ${n === 1 ? one : many}`;
