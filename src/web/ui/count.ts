/** A number of things: "1 task", "2 tasks". */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** A size in words, such as `1.5 MiB`. */
export const bytes = (size: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, size)) / 10));
  const value = size / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
};
