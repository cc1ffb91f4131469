import fc from "fast-check";
import type { Payload } from "../../../src/domain/base/payload.ts";

/** Any JSON value, including odd names and half an emoji. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }),
  fc.constantFrom("\uD83E", "a\0b", "", "__proto__", 1e308, -0.5, [], {}, null, true),
);

const texts = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom("half \uD83E", "nul \0", "🥛", "\u2028") },
);

/** A value that should be text, and mostly is. */
const mostly = (wanted: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: wanted }, { weight: 1, arbitrary: anything });

const items = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { id: mostly(texts), url: mostly(texts), title: mostly(texts) },
      { requiredKeys: [] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { id: mostly(texts), text: mostly(texts), pinned: anything },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: texts },
  { weight: 1, arbitrary: anything },
);
const lists = mostly(fc.array(items, { maxLength: 4 }));

export const BUCKETS = ["trash", "b1", "b2"];
const STATUSES = ["todo", "done", "archived", "waiting", ""];

/** A task as an extension of any age may have stored it: known fields of any type, and unknown ones. */
export const taskPayloads: fc.Arbitrary<Payload> = fc
  .tuple(
    fc.record(
      {
        title: mostly(texts),
        status: mostly(fc.constantFrom(...STATUSES)),
        colour: mostly(texts),
        project_id: mostly(fc.constantFrom("p1", "p2")),
        bucket_id: mostly(fc.constantFrom(...BUCKETS)),
        due: mostly(fc.constantFrom("2026-03-04", "2026-02-30", "soon")),
        tags: mostly(fc.array(mostly(texts), { maxLength: 25 })),
        position: mostly(texts),
        pages: lists,
        notes: lists,
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(
      fc.oneof(
        fc.string({ maxLength: 5 }),
        fc.constantFrom("__proto__", "constructor", "deleted", "7"),
      ),
      anything,
      { maxKeys: 4 },
    ),
  )
  .map(([known, unknown]) => throughJson({ ...unknown, ...known }));

/** The value as it comes out of a request's body. */
const throughJson = (value: unknown): Payload => JSON.parse(JSON.stringify(value)) as Payload;
