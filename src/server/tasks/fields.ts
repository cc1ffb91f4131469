import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { MAX_NOTE } from "../../domain/tasks/note.ts";
import { MAX_TABS, MAX_URL } from "../../domain/tasks/tab.ts";
import { MAX_COLOUR, MAX_TITLE } from "../../domain/tasks/task.ts";

// What programs and agents send, field by field. `description` is what an error says that the value must be.

/** An object whose unknown fields are passed over; not said, Elysia would refuse them. */
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

/** A number in a query. Its bound is judged later, and said here for whoever describes it. */
export const wholeNumber = (most: number) =>
  Type.String({
    pattern: "^[1-9][0-9]{0,5}$",
    description: `a whole number from 1 to ${most}`,
    [MOST]: most,
  });

/** Where `wholeNumber` says its bound. */
export const MOST = "x-most";

/** Tasks that one page of a list may hold, and holds where nothing is said. */
export const MAX_LIMIT = 200;
export const DEFAULT_LIMIT = 50;

export type Tabs = Static<typeof Tabs>;
