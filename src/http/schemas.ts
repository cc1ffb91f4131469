import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { MAX_CHANGES } from "../change.ts";
import { MAX_NAME } from "../folder.ts";
import { MAX_NOTE, MAX_NOTES } from "../note.ts";
import { MAX_TABS, MAX_URL } from "../tab.ts";
import { MAX_COLOUR, MAX_TITLE } from "../task.ts";

// `description` is what an error says that the value must be.

/** An object whose unknown fields are passed over; not said, Elysia would refuse them. */
const Open = <Known extends TProperties>(known: Known) =>
  Type.Object(known, { additionalProperties: true });

const Time = Type.String({ description: "an RFC 3339 time, as 2026-01-31T09:30:00.000Z" });
const Title = Type.String({ minLength: 1, maxLength: MAX_TITLE });
const Colour = Type.Union([Type.String({ maxLength: MAX_COLOUR }), Type.Null()], {
  description: `text of at most ${MAX_COLOUR} characters, or null`,
});
const Status = Type.String({ description: "1 to 64 printable characters" });
const Reference = (what: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${what}, or null for none` });

const Tab = Open({
  url: Type.String({ minLength: 1, maxLength: MAX_URL, pattern: "\\S", description: "an address" }),
  title: Type.Optional(
    Type.Union([Type.String({ maxLength: MAX_TITLE }), Type.Null()], {
      description: `text of at most ${MAX_TITLE} characters, or null`,
    }),
  ),
});

const Text = Type.String({ minLength: 1, maxLength: MAX_NOTE });

/** A note's text goes by three names. */
export const NoteBody = Open({
  text: Type.Optional(Text),
  content: Type.Optional(Text),
  body: Type.Optional(Text),
});

export const TabsBody = Type.Array(Tab, { minItems: 1, maxItems: MAX_TABS });

const Fields = {
  status: Type.Optional(Status),
  colour: Type.Optional(Colour),
  folder: Type.Optional(Reference("a folder's id or exact name")),
  project_id: Type.Optional(Reference("a folder's id")),
  bucket_id: Type.Optional(Reference("a bucket's id")),
};

export const TaskBody = Open({
  title: Title,
  ...Fields,
  tabs: Type.Optional(Type.Array(Tab, { maxItems: MAX_TABS })),
  notes: Type.Optional(
    Type.Array(
      Type.Union([Text, NoteBody], {
        description: `text of 1 to ${MAX_NOTE} characters, or an object with such a text`,
      }),
      { maxItems: MAX_NOTES },
    ),
  ),
});

export const TaskPatchBody = Open({ title: Type.Optional(Title), ...Fields });

const Name = Type.String({ minLength: 1, maxLength: MAX_NAME });

export const FolderBody = Open({
  name: Type.Optional(Name),
  title: Type.Optional(Name),
  colour: Type.Optional(Colour),
});

export const PushBody = Type.Array(Type.Unknown(), {
  maxItems: MAX_CHANGES,
  description: "an array of change records",
});

const wholeNumber = (most: number) =>
  Type.String({ pattern: "^[1-9][0-9]{0,5}$", description: `a whole number from 1 to ${most}` });

/** Records that a page of a pull may ask for. */
export const MAX_PAGE = 10_000;
export const MAX_LIMIT = 200;
export const DEFAULT_LIMIT = 50;

export const PullQuery = Open({
  since: Type.Optional(Time),
  limit: Type.Optional(wholeNumber(MAX_PAGE)),
});

export const PushQuery = Open({ since: Type.Optional(Time) });

export const TasksQuery = Open({
  status: Type.Optional(Type.String({ maxLength: 2_000 })),
  project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  created_by: Type.Optional(
    Type.Union([Type.Literal("agent"), Type.Literal("person")], { description: "agent or person" }),
  ),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_URL })),
  since: Type.Optional(Time),
  limit: Type.Optional(wholeNumber(MAX_LIMIT)),
  cursor: Type.Optional(Type.String({ maxLength: 1_000 })),
});

export type NoteBody = Static<typeof NoteBody>;
export type TabsBody = Static<typeof TabsBody>;
export type TaskBody = Static<typeof TaskBody>;
export type TaskPatchBody = Static<typeof TaskPatchBody>;
export type FolderBody = Static<typeof FolderBody>;
export type PushBody = Static<typeof PushBody>;
export type PullQuery = Static<typeof PullQuery>;
export type PushQuery = Static<typeof PushQuery>;
export type TasksQuery = Static<typeof TasksQuery>;
