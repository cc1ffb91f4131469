import type { Static, TObject } from "@sinclair/typebox";
import type { Caller } from "../caller.ts";
import type { Store } from "../db/open.ts";
import { type Access, ANY_SCOPE, READ, WRITE } from "../door/access.ts";
import type { Call } from "../door/call.ts";
import type { Service } from "../door/service.ts";
import type { Instant } from "../instant.ts";
import type { Leash } from "../leash.ts";

/** A call of a tool, as the tool sees it: from a caller who may make it, with what its schema lets through. */
export type ToolAsk<Args> = {
  readonly service: Service;
  /** A write's leaves the call's trace in the transaction that does the work. */
  readonly store: Store;
  readonly call: Call;
  readonly caller: Caller;
  readonly args: Args;
  readonly now: Instant;
};

/** What a tool answers: data for `structuredContent`. Texts are as stored; whoever sends it makes them inert. */
export type Shown = Readonly<Record<string, unknown>>;

/** What a client may be told of a tool's nature (MCP, tool annotations): hints, which nothing here relies on. */
type Hints = { readonly destructiveHint: boolean; readonly idempotentHint: boolean };

type About<Input extends TObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The kind of record that it makes or changes. */
  readonly touches?: "folder" | "task";
  /** Which keys can make any use of it at all; their leash is held where the data are. */
  readonly leash?: (leash: Leash) => boolean;
};

type Common = Required<Omit<About<TObject>, "leash">> & {
  readonly access: Access;
  readonly annotations: Hints & { readonly readOnlyHint: boolean; readonly openWorldHint: false };
  readonly suits: (leash: Leash | null) => boolean;
};

export type ReadTool = Common & {
  readonly handle: (ask: ToolAsk<unknown>) => Promise<Shown>;
  readonly present: null;
};

/** Its handler returns what its one transaction returned; `present` makes the answer of it, inside the transaction. */
export type WriteTool = Common & {
  readonly handle: (ask: ToolAsk<unknown>) => Promise<unknown>;
  readonly present: (value: unknown, ask: ToolAsk<unknown>) => Shown;
};

export type Tool = ReadTool | WriteTool;

const common = <Input extends TObject>(
  { leash = () => true, touches = "task", ...about }: About<Input>,
  access: Access,
  hints: Hints,
): Common => ({
  ...about,
  touches,
  access,
  annotations: { readOnlyHint: access !== WRITE, ...hints, openWorldHint: false },
  suits: (held) => held === null || leash(held),
});

const READS: Hints = { destructiveHint: false, idempotentHint: true };

/** A tool that changes nothing. */
export const reading = <Input extends TObject>(
  about: About<Input>,
  handle: (ask: ToolAsk<Static<Input>>) => Promise<Shown>,
): ReadTool => ({
  ...common(about, READ, READS),
  // Its arguments were checked by its own schema.
  handle: handle as ReadTool["handle"],
  present: null,
});

/** A tool for any credential, whatever its scopes. */
export const anyoneReading = <Input extends TObject>(
  about: About<Input>,
  handle: (ask: ToolAsk<Static<Input>>) => Promise<Shown>,
): ReadTool => ({ ...reading(about, handle), access: ANY_SCOPE });

/** A tool that changes records, done once however often it is called with the same `idempotency_key`. */
export const writing = <Value, Input extends TObject>(
  about: About<Input>,
  hints: Hints,
  handle: (ask: ToolAsk<Static<Input>>) => Promise<Value>,
  present: (value: Value, ask: ToolAsk<Static<Input>>) => Shown,
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
