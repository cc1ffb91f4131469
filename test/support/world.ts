import type { Store } from "../../src/db/store.ts";
import type { Instant } from "../../src/domain/base/instant.ts";
import type { Row, Wire } from "./client.ts";
import type { AgentAct, Field, OwnerAct, Which } from "./histories.ts";

/** An agent's call. `task` is the task that it names; `text` was never used before. */
export type AgentCall = {
  readonly key: 0 | 1;
  readonly act: AgentAct;
  readonly task: string;
  readonly text: string;
  readonly field: Field;
  readonly value: string | null;
};

/** The agent's answer: the task, and what was filed into it. */
export type Filed = { readonly task: string; readonly children: readonly FiledItem[] };

type FiledItem = {
  readonly id: string;
  readonly list: "notes" | "pages";
  /** A tab's URL or a note's text. */
  readonly value: string;
};

/** A record as it is in the server's own table. */
export type StoredRow = Row & {
  readonly updated: Instant;
  readonly changedAt: Instant;
  readonly createdBy: string;
  readonly createdByKey: string | null;
  /** The tabs and notes in it that were filed over REST, each with the name of the key that did. */
  readonly filed: readonly { readonly id: string; readonly key: string | null }[];
};

/** What the tables contain and no reply shows. Only for servers that can be inspected. */
export type Inside = {
  readonly store: () => Store;
  readonly accountId: number;
  /** The server's wall clock. */
  readonly wall: () => Instant;
  readonly sessionOf: (device: Which) => string;
  readonly rows: () => Promise<readonly StoredRow[]>;
  readonly owner: (act: OwnerAct, pick: number) => Promise<void>;
};

/** A server with one person's devices and two agents, and ways to harm it. */
export type World = {
  /** The true time, by which the clocks are judged. */
  readonly time: () => Instant;
  readonly wait: (ms: number) => void;
  /** Sets the server's wall clock to the true time plus `off` ms. */
  readonly setClock: (off: number) => void;
  /** `meanwhile` runs while a pull is being answered. */
  readonly wire: (device: Which, meanwhile: () => Promise<void>) => Wire;
  /** Null if it was refused, which changes nothing. */
  readonly agent: (call: AgentCall) => Promise<Filed | null>;
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly backUp: () => Promise<void>;
  /** Replaces the data with the last backup. Returns whether there was one. */
  readonly restore: () => Promise<boolean>;
  /** What the server's database holds, read without the code under test. */
  readonly stored: () => Promise<readonly Row[]>;
  readonly inside: Inside | null;
  readonly end: () => Promise<void>;
};
