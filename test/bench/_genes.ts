import { dice } from "../support/random.ts";

/** What a call of the search for the worst is made from. Each call uses those that mean something to it. */
export type Genes = {
  readonly call: CallName;
  /** Of what its texts are. */
  readonly content: Content;
  /** What a task or a body has much of. */
  readonly shape: Shape;
  /** The records that it touches: new ones, large stored ones, those with long pasts, or one alone. */
  readonly ids: (typeof IDS)[number];
  readonly table: (typeof TABLES)[number];
  /** The time of its edits, and the version on which they were made. */
  readonly when: (typeof WHEN)[number];
  readonly expects: (typeof EXPECTS)[number];
  readonly deleted: boolean;
  /** Whether a key sends it, where both may. */
  readonly byKey: boolean;
  /** Parts of the most that is allowed, 0 to 1: of records, of bytes, and of texts into which these are divided. */
  readonly count: number;
  readonly size: number;
  readonly pieces: number;
  /** A whole number that decides all the rest. */
  readonly seed: number;
};

export const CALL_NAMES = [
  "push",
  "push of anything",
  "pull",
  "find",
  "list",
  "read",
  "create",
  "change",
  "file tabs",
  "add a note",
  "file into the inbox",
  "make a folder",
  "list folders",
  "a body of anything",
  "mcp: find_tasks",
  "mcp: read_task",
  "mcp: add_task",
  "mcp: change_task",
  "mcp: list_folders",
  "mcp: anything",
  "mcp: a message about anything",
] as const;
export type CallName = (typeof CALL_NAMES)[number];

const CONTENTS = [
  "words",
  "common words",
  "a letter",
  "han",
  "one han",
  "emoji",
  "accents",
  "digits",
  "signs",
  "escapes",
  "addresses",
] as const;
export type Content = (typeof CONTENTS)[number];

const SHAPES = [
  "notes",
  "tabs",
  "tags",
  "title",
  "names",
  "numbers",
  "empty lists",
  "depth",
  "spaces",
  "text",
] as const;
type Shape = (typeof SHAPES)[number];

const IDS = ["new", "large", "long past", "one"] as const;
const TABLES = ["sync_tasks", "sync_tasks", "sync_projects", "sync_buckets"] as const;
const WHEN = ["now", "before", "ahead"] as const;
const EXPECTS = ["nothing", "none", "the first"] as const;

export type Dice = ReturnType<typeof dice>;

const pick = <Value>(roll: Dice, values: readonly Value[]): Value =>
  values[roll(values.length)] as Value;
/** Large ones are tried more often than small ones. */
const part = (roll: Dice): number => pick(roll, [1, 1, 0.9, 0.5, 0.25, 0.1, 0.02, 0]);

const GENES: { readonly [Name in keyof Genes]: (roll: Dice) => Genes[Name] } = {
  call: (roll) => pick(roll, CALL_NAMES),
  content: (roll) => pick(roll, CONTENTS),
  shape: (roll) => pick(roll, SHAPES),
  ids: (roll) => pick(roll, IDS),
  table: (roll) => pick(roll, TABLES),
  when: (roll) => pick(roll, WHEN),
  expects: (roll) => pick(roll, EXPECTS),
  deleted: (roll) => roll(4) === 0,
  byKey: (roll) => roll(2) === 0,
  count: part,
  size: part,
  pieces: part,
  seed: (roll) => roll(1_000_000),
};
const NAMES = Object.keys(GENES) as readonly (keyof Genes)[];

/** A call made from nothing but chance. */
export const anyGenes = (roll: Dice): Genes =>
  Object.fromEntries(NAMES.map((name) => [name, GENES[name](roll)])) as Genes;

/** Changes one to three genes. The kind of call stays. */
export const mutate = (roll: Dice, genes: Genes): Genes => {
  const changeable = NAMES.filter((name) => name !== "call");
  const changed = Array.from({ length: 1 + roll(3) }, () => pick(roll, changeable));
  return { ...genes, ...Object.fromEntries(changed.map((name) => [name, GENES[name](roll)])) };
};
