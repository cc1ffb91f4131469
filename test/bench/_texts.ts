import { dice } from "../support/random.ts";
import type { Content, Dice } from "./_genes.ts";

const BLOCK = 60_000;

const letters = (roll: Dice, count: number, from: number, range: number): string =>
  Array.from({ length: count }, () => String.fromCodePoint(from + roll(range))).join("");
const words = (roll: Dice, most: number): string =>
  Array.from({ length: BLOCK / 6 }, () => letters(roll, 1 + roll(most), 0x61, 26)).join(" ");

const MADE: Readonly<Record<Content, (roll: Dice) => string>> = {
  words: (roll) => words(roll, 9),
  "common words": () => "common word and ".repeat(BLOCK / 16),
  "a letter": () => "a".repeat(BLOCK),
  han: (roll) => letters(roll, BLOCK, 0x4e00, 20_000),
  "one han": () => "\u6771".repeat(BLOCK),
  emoji: (roll) => letters(roll, BLOCK / 2, 0x1f300, 500),
  accents: (roll) => "a\u0301e\u0323\u0307".repeat(BLOCK / 5) + letters(roll, 10, 0xc0, 60),
  digits: (roll) => letters(roll, BLOCK, 0x30, 10),
  signs: (roll) => letters(roll, BLOCK, 0x21, 15),
  escapes: (roll) => letters(roll, BLOCK, 1, 31),
  addresses: (roll) =>
    Array.from(
      { length: BLOCK / 40 },
      (_, at) => `https://e${at}.example/${letters(roll, 12, 0x61, 26)}`,
    ).join(" "),
};

/** Texts of one kind, always the same for the same seed: pieces of a block, each from another place on. */
export const textsOf = (content: Content, seed: number): ((length: number) => string) => {
  const roll = dice(seed);
  const block = MADE[content](roll);
  return (length) => {
    const from = roll(block.length);
    const rest = Math.max(0, length - (block.length - from));
    const whole = block.repeat(Math.floor(rest / block.length));
    const text = block.slice(from, from + length) + whole + block.slice(0, rest % block.length);
    return text.toWellFormed();
  };
};
