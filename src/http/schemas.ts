import { type Static, Type } from "@sinclair/typebox";
import { MAX_CHANGES } from "../domain/sync/change.ts";
import {
  Colour,
  ECHOED_OF_CHILD,
  FILTERS,
  MAX_LIMIT,
  Name,
  Open,
  SENT,
  SENT_IF_ANY,
  Tab,
  Text,
  Time,
  wholeNumber,
} from "../server/tasks/fields.ts";
import { TASK_FIELDS } from "../domain/tasks/task-fields.ts";
import { MAX_NOTE, MAX_NOTES, MAX_TABS, MAX_URL } from "../domain/tasks/task.ts";
import { HOSTS, MAX_HOST, MAX_HOSTS, MAX_ICON, MAX_ICONS_SENT } from "../domain/tasks/icon.ts";
import { MAX_QUERY } from "../domain/tasks/search.ts";

const Flag = Type.Union([Type.Literal("true"), Type.Literal("false")], {
  description: "true or false",
});

/** A note's text may be sent under three names. */
export const NoteBody = Open(
  {
    text: Type.Optional(Text),
    content: Type.Optional(Text),
    body: Type.Optional(Text),
  },
  ECHOED_OF_CHILD,
);

/** What a task shows that no call sets as such. */
const ECHOED_OF_TASK = [
  ...Object.keys(TASK_FIELDS).filter((name) => !(name in SENT)),
  "tabs",
  "notes",
  "rev",
  "claimed_by",
  "claimed_until",
];

export const TaskBody = Open(
  {
    ...SENT_IF_ANY,
    title: SENT.title,
    tabs: Type.Optional(Type.Array(Tab, { maxItems: MAX_TABS })),
    notes: Type.Optional(
      Type.Array(
        Type.Union([Text, NoteBody], {
          description: `a string of 1 to ${MAX_NOTE} characters, or an object with such a string as its text`,
        }),
        { maxItems: MAX_NOTES },
      ),
    ),
  },
  ECHOED_OF_TASK,
);

export const MoveBody = Open({
  from: Type.String({ minLength: 1, maxLength: 255, description: "the id of a task, or inbox" }),
  tabs: Type.Array(Type.String({ minLength: 1, maxLength: MAX_URL }), {
    minItems: 1,
    maxItems: MAX_TABS,
  }),
});

export const FileQuery = Open({ skip_existing: Type.Optional(Flag) });

/** Every write to a task takes it: whether to write although another key has claimed the task. */
export const OverrideQuery = Open({ override: Type.Optional(Flag) });

export const TabsQuery = Open({ ...FileQuery.properties, ...OverrideQuery.properties });

export const TaskPatchBody = Open(SENT_IF_ANY, ECHOED_OF_TASK);

/** The most tasks that one call changes. */
const MAX_CHANGED = 50;

/** Fields that several tasks get. */
export const TaskPatchesBody = Open({
  ids: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    minItems: 1,
    maxItems: MAX_CHANGED,
  }),
  set: Open(SENT_IF_ANY, [], { description: 'an object, such as {"status": "done"}' }),
});

const For = Type.Optional(
  Type.String({ maxLength: 10, description: "a length of time from 1m to 24h, such as 2h" }),
);

export const ClaimBody = Open({
  task: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  filter: Type.Optional(
    Open(
      {
        status: Type.Optional(Type.String({ maxLength: 2_000 })),
        folder: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
        tag: FILTERS.tag,
      },
      [],
      { description: 'an object, such as {"folder": "Travel"}' },
    ),
  ),
  for: For,
});

export const RenewBody = Open({ for: For });

export const ReleaseBody = Open({});

export const FolderBody = Open(
  {
    name: Type.Optional(Name),
    title: Type.Optional(Name),
    colour: Type.Optional(Colour),
  },
  [...ECHOED_OF_CHILD, "updated_at", "task_count"],
);

export const PushBody = Type.Array(Type.Unknown(), {
  maxItems: MAX_CHANGES,
  description: "an array of change records",
});

/** The largest page that a pull may ask for, in records. */
export const MAX_PAGE = 10_000;

/** The longest that a pull may wait for news, in seconds. */
export const MAX_WAIT = 25;

export const PullQuery = Open({
  since: Type.Optional(Time),
  limit: Type.Optional(wholeNumber(MAX_PAGE)),
  wait: Type.Optional(wholeNumber(MAX_WAIT, 0)),
});

export const ChangesQuery = Open({
  since: Type.Optional(Time),
  limit: Type.Optional(wholeNumber(MAX_LIMIT)),
  wait: Type.Optional(wholeNumber(MAX_WAIT, 0)),
});

export const PushQuery = Open({ since: Type.Optional(Time) });

export const TasksQuery = Open({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_QUERY })),
  status: Type.Optional(Type.String({ maxLength: 2_000 })),
  closed: Type.Optional(Flag),
  project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  ...FILTERS,
  url: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_URL })),
  ids: Type.Optional(Type.String({ minLength: 1, maxLength: 5_000 })),
  include: Type.Optional(
    Type.Union(
      ["tabs", "notes", "tabs,notes", "notes,tabs"].map((lists) => Type.Literal(lists)),
      { description: "tabs, notes, or both with a comma between them" },
    ),
  ),
  claimed: Type.Optional(Flag),
  since: Type.Optional(Time),
  limit: Type.Optional(wholeNumber(MAX_LIMIT)),
  cursor: Type.Optional(Type.String({ maxLength: 1_000 })),
});

/** What is wrong with it is said in the words of RFC 7591, so it is not checked by this. */
export const RegisterBody = Type.Object(
  {
    redirect_uris: Type.Array(Type.String()),
    client_name: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

export const IconsQuery = Open({
  hosts: Type.String({
    minLength: 1,
    maxLength: MAX_HOSTS,
    pattern: HOSTS,
    description: "hosts in small letters, separated by commas",
  }),
});

export const IconsBody = Open({
  icons: Type.Array(
    Open({
      host: Type.String({ minLength: 1, maxLength: MAX_HOST }),
      png: Type.String({ minLength: 1, maxLength: MAX_ICON * 2 }),
    }),
    { maxItems: MAX_ICONS_SENT },
  ),
});

export type IconsQuery = Static<typeof IconsQuery>;
export type IconsBody = Static<typeof IconsBody>;
export type NoteBody = Static<typeof NoteBody>;
export type TaskBody = Static<typeof TaskBody>;
export type OverrideQuery = Static<typeof OverrideQuery>;
export type TabsQuery = Static<typeof TabsQuery>;
export type FileQuery = Static<typeof FileQuery>;
export type MoveBody = Static<typeof MoveBody>;
export type ClaimBody = Static<typeof ClaimBody>;
export type RenewBody = Static<typeof RenewBody>;
export type ReleaseBody = Static<typeof ReleaseBody>;
export type TaskPatchesBody = Static<typeof TaskPatchesBody>;
export type TaskPatchBody = Static<typeof TaskPatchBody>;
export type FolderBody = Static<typeof FolderBody>;
export type PushBody = Static<typeof PushBody>;
export type PullQuery = Static<typeof PullQuery>;
export type ChangesQuery = Static<typeof ChangesQuery>;
export type PushQuery = Static<typeof PushQuery>;
export type TasksQuery = Static<typeof TasksQuery>;
