import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { MAX_NOTE } from "../../domain/tasks/note.ts";
import { MAX_TABS, MAX_URL } from "../../domain/tasks/tab.ts";
import { MAX_COLOUR, MAX_TITLE } from "../../domain/tasks/task.ts";

// The fields that programs and agents send. `description` is what an error says the value must be.

/** An object that ignores unknown fields. Without this setting, Elysia would refuse them. */
export const Open = <Known extends TProperties>(known: Known) =>
  Type.Object(known, { additionalProperties: true });

export const Time = Type.String({
  description: "an RFC 3339 time, such as 2026-01-31T09:30:00.000Z",
});
export const Title = Type.String({ minLength: 1, maxLength: MAX_TITLE });
export const Colour = Type.Union([Type.String({ maxLength: MAX_COLOUR }), Type.Null()], {
  description: `a string of at most ${MAX_COLOUR} characters, or null`,
});
export const Status = Type.String({
  pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]{1,64}$",
  description: "1 to 64 printable characters",
});
export const Reference = (what: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${what}, or null for none` });
export const Name = Type.String({ minLength: 1, maxLength: MAX_NAME });
export const Text = Type.String({ minLength: 1, maxLength: MAX_NOTE });

export const Tab = Open({
  url: Type.String({ minLength: 1, maxLength: MAX_URL, pattern: "\\S", description: "a URL" }),
  title: Type.Optional(
    Type.Union([Type.String({ maxLength: MAX_TITLE }), Type.Null()], {
      description: `a string of at most ${MAX_TITLE} characters, or null`,
    }),
  ),
});

export const Tabs = Type.Array(Tab, { minItems: 1, maxItems: MAX_TABS });

/** A number in a query. `parseLimit` checks the upper bound; it is given here for the API's document. */
export const wholeNumber = (most: number) =>
  Type.String({
    pattern: "^[1-9][0-9]{0,5}$",
    description: `a whole number from 1 to ${most}`,
    [MOST]: most,
  });

/** The key under which `wholeNumber` keeps its upper bound. */
export const MOST = "x-most";

/** How many tasks a page can hold, and how many it holds by default. */
export const MAX_LIMIT = 200;
export const DEFAULT_LIMIT = 50;

export type Tabs = Static<typeof Tabs>;
