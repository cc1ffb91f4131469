import type { Static, TObject } from "@sinclair/typebox";
import type { Caller } from "../domain/people/caller.ts";
import type { Store } from "../db/store.ts";
import { type Access, ANY_SCOPE, READ, WRITE } from "../server/checks/admission.ts";
import type { Call } from "../server/call.ts";
import type { Service } from "../server/service.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { Restriction } from "../domain/people/restriction.ts";

/** A call of a tool, as the tool sees it: from a caller who may make it, with what its schema lets through. */
export type ToolContext<Args> = {
  readonly service: Service;
  /** A write's leaves the call's trace in the transaction that does the work. */
  readonly store: Store;
  readonly call: Call;
  readonly caller: Caller;
  readonly args: Args;
  readonly now: Instant;
};

/** What a tool answers: data for `structuredContent`. Texts are as stored; whoever sends it makes them inert. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** What a client may be told of a tool's nature (MCP, tool annotations): hints, which nothing here relies on. */
type Hints = { readonly destructiveHint: boolean; readonly idempotentHint: boolean };

type About<Input extends TObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The kind of record that it makes or changes. */
  readonly touches?: "folder" | "task";
  /** Which keys can make any use of it at all; their restriction is held where the data are. */
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

/** Its handler returns what its one transaction returned; `present` makes the answer of it, inside the transaction. */
export type WriteTool = Common & {
  readonly handle: (context: ToolContext<unknown>) => Promise<unknown>;
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

/** A tool that changes nothing. */
export const reading = <Input extends TObject>(
  about: About<Input>,
  handle: (context: ToolContext<Static<Input>>) => Promise<ToolResult>,
): ReadTool => ({
  ...common(about, READ, READS),
  // Its arguments were checked by its own schema.
  handle: handle as ReadTool["handle"],
  present: null,
});

/** A tool for any credential, whatever its scopes. */
export const anyoneReading = <Input extends TObject>(
  about: About<Input>,
  handle: (context: ToolContext<Static<Input>>) => Promise<ToolResult>,
): ReadTool => ({ ...reading(about, handle), access: ANY_SCOPE });

/** A tool that changes records, done once however often it is called with the same `idempotency_key`. */
export const writing = <Value, Input extends TObject>(
  about: About<Input>,
  hints: Hints,
  handle: (context: ToolContext<Static<Input>>) => Promise<Value>,
  present: (value: Value, context: ToolContext<Static<Input>>) => ToolResult,
): WriteTool => ({
  ...common(about, WRITE, hints),
  handle: handle as WriteTool["handle"],
  // It is only ever given what `handle` returned.
  present: present as WriteTool["present"],
});

/** Adds something each time. */
export const ADDS: Hints = { destructiveHint: false, idempotentHint: false };
/** Writes over what is there: the same again changes nothing more. */
export const REPLACES: Hints = { destructiveHint: true, idempotentHint: true };
