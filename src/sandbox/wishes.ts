import { SECOND } from "../domain/base/instant.ts";
import { Refusal } from "../domain/base/refusal.ts";

/** The request header that asks a sandbox for a certain reply. Other servers do not know it. */
export const WISH_HEADER = "docket-sandbox";

/** Each wish: the parameter that it takes, with its default and its maximum. */
const KNOWN = {
  401: null,
  403: null,
  429: { name: "retry-after", value: 5, most: 86_400 },
  503: { name: "retry-after", value: 5, most: 86_400 },
  stale: null,
  // Bun closes a connection on which nothing is sent for 60 seconds.
  slow: { name: "ms", value: 3 * SECOND, most: 50 * SECOND },
  cut: null,
  garbage: null,
  html: null,
} as const;

export type WishName = `${keyof typeof KNOWN}`;

/** What a request asks for, with the number that goes with it. */
export type Wishes = ReadonlyMap<WishName, number>;

/** Reads the header: wishes separated by commas, such as `slow; ms=500, 503; retry-after=2`. Refuses any other text. */
export const readWishes = (header: string): Wishes => new Map(header.split(",").map(readWish));

const WISH = /^\s*([a-z0-9]+)\s*(?:;\s*([a-z-]+)=(\d{1,5})\s*)?$/;

const readWish = (text: string): [WishName, number] => {
  const [, name = "", parameter, digits] = WISH.exec(text) ?? [];
  if (!isKnown(name)) throw unknown(text);
  const takes = KNOWN[name];
  if (parameter === undefined) return [name, takes?.value ?? 0];
  const value = Number(digits);
  if (parameter === takes?.name && value <= takes.most) return [name, value];
  throw unknown(text);
};

const isKnown = (name: string): name is WishName => Object.hasOwn(KNOWN, name);

const FORMS = Object.entries(KNOWN).map(([name, takes]) =>
  takes === null ? name : `${name}; ${takes.name}=${takes.value}`,
);

const unknown = (text: string): Refusal =>
  new Refusal(
    "malformed",
    `The sandbox does not know "${text.trim()}" in Docket-Sandbox. It knows: ${FORMS.join(", ")}.`,
  );
