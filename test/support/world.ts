import type { Store } from "../../src/db/store.ts";
import type { Instant } from "../../src/domain/base/instant.ts";
import type { Row, Wire } from "./client.ts";
import type { AgentAct, Field, OwnerAct, Which } from "./histories.ts";

/** A call of an agent's. `task` is the task that it means; `text` was never used before. */
export type AgentCall = {
  readonly key: 0 | 1;
  readonly act: AgentAct;
  readonly task: string;
  readonly text: string;
  readonly field: Field;
  readonly value: string | null;
};

/** What the agent was answered: the task, and what was filed into it. */
export type Filed = { readonly task: string; readonly children: readonly FiledItem[] };

type FiledItem = {
  readonly id: string;
  readonly list: "notes" | "pages";
  /** A tab's url, a note's text. */
  readonly value: string;
};

/** A record as the server's own table has it. */
export type StoredRow = Row & {
  readonly updated: Instant;
  readonly changedAt: Instant;
  readonly createdBy: string;
};

/** What the tables say that nobody is told: only where the server can be looked into. */
export type Inside = {
  readonly store: () => Store;
  readonly accountId: number;
  /** The server's wall clock. */
  readonly wall: () => Instant;
  readonly sessionOf: (device: Which) => string;
  readonly rows: () => Promise<readonly StoredRow[]>;
  readonly owner: (act: OwnerAct, pick: number) => Promise<void>;
};

/** A server with one person's devices and two agents, and hands that can do it harm. */
export type World = {
  /** The true time, by which the clocks are off or not. */
  readonly time: () => Instant;
  readonly wait: (ms: number) => void;
  /** Sets the server's wall clock to the true time and `off` ms. */
  readonly setClock: (off: number) => void;
  /** `meanwhile` happens while a pull is being answered. */
  readonly wire: (device: Which, meanwhile: () => Promise<void>) => Wire;
  /** Null where it was refused, which changes nothing. */
  readonly agent: (call: AgentCall) => Promise<Filed | null>;
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly backUp: () => Promise<void>;
  /** Puts the last backup in the data's place, if there is one; says whether there was. */
  readonly restore: () => Promise<boolean>;
  /** What the server's database holds, read past all that is tested here. */
  readonly stored: () => Promise<readonly Row[]>;
  readonly inside: Inside | null;
  readonly end: () => Promise<void>;
};
