/** The colours that browsers have for groups. */
const OFFERED = ["grey", "blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange"];

const ALIASES: Readonly<Record<string, string>> = { teal: "cyan", gray: "grey" };

/** Returns the browser's colour for one that a task or group has; null if there is none like it. */
export const groupColour = (colour: string | null): string | null => {
  const name = colour?.toLowerCase() ?? "";
  const offered = ALIASES[name] ?? name;
  return OFFERED.includes(offered) ? offered : null;
};
