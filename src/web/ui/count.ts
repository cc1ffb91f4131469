/** A number of things: "1 task", "2 tasks". */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;
