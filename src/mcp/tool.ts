import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { Caller } from "../domain/people/account.ts";
import type { Store } from "../db/store.ts";
import type { Transaction } from "../db/transaction.ts";
import { type Access, READ, WRITE } from "../server/checks/admission.ts";
import type { Call } from "../server/call.ts";
import type { Service } from "../server/service.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { Restriction } from "../domain/people/api-key.ts";
import { FILTERS, SENT, SENT_IF_ANY, Tab, Text } from "../server/tasks/fields.ts";
import { type FieldInTools, fieldsInTools, TASK_FIELDS } from "../domain/tasks/task-fields.ts";
import { TASK_FILTER_NAMES, TASK_FILTERS } from "../domain/tasks/task-filters.ts";
import { MAX_NOTES, MAX_TABS } from "../domain/tasks/task.ts";

/** A tool call as the tool sees it: authorised, and with arguments checked against its schema. */
export type ToolContext<Args> = {
  readonly service: Service;
  readonly store: Store;
  readonly call: Call;
  readonly caller: Caller;
  readonly args: Args;
  readonly now: Instant;
};

/**
 * What a tool returns: data for `structuredContent`. Texts are as stored; the sender of the reply makes them
 * inert.
 */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Hints for clients about a tool's effect (MCP, tool annotations). Nothing in Docket relies on them. */
type Hints = { readonly destructiveHint: boolean; readonly idempotentHint: boolean };

type About<Input extends TObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The kind of record that it creates or changes. */
  readonly touches?: "folder" | "task";
  /**
   * Whether a key with this restriction can use the tool at all. The restriction itself is enforced where the
   * data are read and written.
   */
  readonly restriction?: (restriction: Restriction) => boolean;
};

type Common = Required<Omit<About<TObject>, "restriction">> & {
  readonly access: Access;
  readonly annotations: Hints & { readonly readOnlyHint: boolean; readonly openWorldHint: false };
  readonly suits: (restriction: Restriction | null) => boolean;
};

export type ReadTool = Common & {
  readonly handle: (context: ToolContext<unknown>) => Promise<ToolResult>;
  readonly present: null;
};

/** Who writes, as a tool's arguments say. */
export const editorOf = ({
  caller,
  args: { override = false },
}: Pick<ToolContext<{ readonly override?: boolean }>, "args" | "caller">) => ({
  ...caller,
  overrides: override,
});

/** The work of a write inside its transaction. */
type Write<Value> = (tx: Transaction) => Promise<Value>;

/**
 * Its handler reads the arguments and returns the work to do in a transaction. `present` turns the result
 * into the answer, inside the same transaction.
 */
export type WriteTool = Common & {
  readonly handle: (context: ToolContext<unknown>) => Promise<Write<unknown>> | Write<unknown>;
  readonly present: (value: unknown, context: ToolContext<unknown>) => ToolResult;
};

export type Tool = ReadTool | WriteTool;

const common = <Input extends TObject>(
  { restriction = () => true, touches = "task", ...about }: About<Input>,
  access: Access,
  hints: Hints,
): Common => ({
  ...about,
  touches,
  access,
  annotations: { readOnlyHint: access !== WRITE, ...hints, openWorldHint: false },
  suits: (held) => held === null || restriction(held),
});

const READS: Hints = { destructiveHint: false, idempotentHint: true };

/** Defines a tool that changes nothing. */
export const reading = <Input extends TObject>(
  about: About<Input>,
  handle: (context: ToolContext<Static<Input>>) => Promise<ToolResult>,
): ReadTool => ({
  ...common(about, READ, READS),
  // The arguments were checked against the tool's own schema.
  handle: handle as ReadTool["handle"],
  present: null,
});

/**
 * Defines a tool that changes records. It runs once, however often it is called with the same
 * `idempotency_key`.
 */
export const writing = <Value, Input extends TObject>(
  about: About<Input>,
  hints: Hints,
  handle: (context: ToolContext<Static<Input>>) => Promise<Write<Value>> | Write<Value>,
  present: (value: Value, context: ToolContext<Static<Input>>) => ToolResult,
): WriteTool => ({
  ...common(about, WRITE, hints),
  handle: handle as WriteTool["handle"],
  // It is only ever called with the result of that write.
  present: present as WriteTool["present"],
});

/** For tools that add something at each call. */
export const ADDS: Hints = { destructiveHint: false, idempotentHint: false };
/** For tools that end something of their own caller's. */
export const ENDS: Hints = { destructiveHint: false, idempotentHint: true };
/** For tools that overwrite: repeating a call changes nothing more. */
export const REPLACES: Hints = { destructiveHint: true, idempotentHint: true };

// The arguments of tools, built from the same schemas as REST's bodies. Agents read `description`, and errors
// use it to say what a value must be.

/**
 * The arguments of a tool. Unknown ones are refused, as in REST: a model that makes up an argument would
 * otherwise never learn that it had no effect.
 */
export const Arguments = <Known extends TProperties>(known: Known) =>
  Type.Object(known, { additionalProperties: false });

/** The longest id, in characters, as in text.ts. */
const MAX_ID = 255;

const Id = Type.String({ minLength: 1, maxLength: MAX_ID });

export const TaskId = { ...Id, description: "a task's id" };

export const TaskIdOrInbox = { ...Id, description: "a task's id, or inbox" };

export const NoteId = { ...Id, description: "the id of a note to correct" };

/** The most tasks that one call changes. */
const MAX_CHANGED = 50;

export const TaskIds = Type.Array(Id, {
  minItems: 1,
  maxItems: MAX_CHANGED,
  description: "a list of task ids",
});

/** Every tool that writes to a task takes it. */
export const OVERRIDE = {
  override: Type.Optional(
    Type.Boolean({ description: "true to write although another key claimed the task" }),
  ),
};

/** The fields of a task that tools can set. */
export const TaskFields = Object.fromEntries(
  fieldsInTools().map((name) => [
    name,
    { ...SENT_IF_ANY[name], ...TASK_FIELDS[name].sent.inTools },
  ]),
) as Pick<typeof SENT_IF_ANY, FieldInTools>;

/** The same, with the title required. */
export const NewTaskFields = { ...TaskFields, title: SENT.title };

/** The filters that compare one column. */
export const Filters = Object.fromEntries(
  TASK_FILTER_NAMES.map((name) => [
    name,
    { ...FILTERS[name], description: TASK_FILTERS[name].inTools },
  ]),
) as typeof FILTERS;

export const ManyTabs = Type.Array(Tab, {
  minItems: 1,
  maxItems: MAX_TABS,
  description: 'a list, such as [{"url": "https://…"}]',
});

export const ManyNotes = Type.Array(Text, {
  minItems: 1,
  maxItems: MAX_NOTES,
  description: 'a list, such as ["Ask bob."]',
});

export { Text };

/** The argument that makes a retry safe. Every tool that adds something accepts it. */
export const ONCE = {
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[ -~]+$",
      description:
        "1 to 255 printable ASCII characters of your own; with the same ones, nothing is done twice",
    }),
  ),
};
