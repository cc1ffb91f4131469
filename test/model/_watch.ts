import type { Instant } from "../../src/domain/base/instant.ts";
import type { Wire } from "../support/client.ts";
import type { Which } from "../support/histories.ts";
import type { AgentCall, Filed, Inside, StoredRow } from "../support/world.ts";
import { checkRecords, checkReply } from "./_check.ts";
import { copyModel, filed, type Model, newModel, owned, pushed, reasonOf } from "./_model.ts";
import { lookForVersions, noteVersion, storedAck, type Versions } from "./_stored.ts";

/** Watches a server from the inside and throws as soon as anything breaks the rules. */
export type Watch = {
  readonly wire: (wire: Wire, which: Which) => Wire;
  readonly agent: (call: AgentCall, act: () => Promise<Filed | null>) => Promise<void>;
  readonly owner: (act: () => Promise<void>) => Promise<void>;
  /** The process ended and started again: what it held in memory is gone. */
  readonly crashed: () => Promise<void>;
  readonly backedUp: () => void;
  readonly restored: () => Promise<void>;
  /** The records as they were last read. */
  readonly rows: () => readonly StoredRow[];
  readonly end: () => void;
};

type State = {
  readonly inside: Inside;
  readonly versions: Versions;
  /** The `since` that each device sent last. */
  said: Map<Which, Instant | null>;
  model: Model;
  backup: Pick<State, "model" | "said">;
  /** The greatest `server_time` issued to anyone. */
  issued: Instant;
  rows: readonly StoredRow[];
};

export const watch = (inside: Inside): Watch => {
  const backup = { model: newModel(), said: new Map() };
  const start = { model: newModel(), said: new Map(), versions: new Map(), backup };
  const state: State = { ...start, inside, issued: 0, rows: [] };
  return {
    wire: (wire, which) => ({
      pull: watchPull(state, wire, which),
      push: watchPush(state, wire),
    }),
    agent: (call, act) => watchAgent(state, call, act),
    owner: (act) => watchOwner(state, act),
    crashed: () => startAgain(state),
    backedUp: () => {
      state.backup = { model: copyModel(state.model), said: new Map(state.said) };
    },
    restored: () => {
      state.model = copyModel(state.backup.model);
      state.said = new Map(state.backup.said);
      state.versions.clear();
      return startAgain(state);
    },
    rows: () => state.rows,
    end: () => lookForVersions(inside, state.versions, state.rows),
  };
};

const look = (state: State, rows: readonly StoredRow[]): void => {
  const stamps = new Set(state.rows.map(({ changedAt }) => changedAt));
  state.rows = rows;
  checkRecords(state.model, rows, state.issued);
  for (const row of rows) if (!stamps.has(row.changedAt)) noteVersion(state.versions, row);
};

const watchPull =
  (state: State, wire: Wire, which: Which): Wire["pull"] =>
  async (since, limit) => {
    state.said.set(which, since === null ? null : Date.parse(since));
    const reply = await wire.pull(since, limit);
    state.issued = Math.max(state.issued, Date.parse(reply.server_time));
    return reply;
  };

const watchPush =
  (state: State, wire: Wire): Wire["push"] =>
  async (changes, since) => {
    const { model, inside, versions } = state;
    const reply = await wire.push(changes, since);
    const rows = await inside.rows();
    checkReply(model, changes, reply, rows);
    pushed(model, changes, reply, inside.wall());
    for (const row of changes) if (reasonOf(reply, row) !== null) noteVersion(versions, row);
    look(state, rows);
    return reply;
  };

const watchAgent = async (
  state: State,
  call: AgentCall,
  act: () => Promise<Filed | null>,
): Promise<void> => {
  const done = await act();
  if (done) filed(state.model, call, done, state.inside.wall());
  look(state, await state.inside.rows());
};

const watchOwner = async (state: State, act: () => Promise<void>): Promise<void> => {
  await act();
  const rows = await state.inside.rows();
  owned(state.model, rows, state.inside.wall());
  look(state, rows);
};

/** When a crash loses what was known of a device, the server may only become more careful. */
const startAgain = async (state: State): Promise<void> => {
  for (const [which, said] of state.said) {
    const stored = storedAck(state.inside, which);
    if (stored !== null && (said === null || stored > said))
      throw new Error(`device ${which} is taken to have stored ${stored}, it said ${said}`);
  }
  look(state, await state.inside.rows());
};
