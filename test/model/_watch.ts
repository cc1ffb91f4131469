import type { Instant } from "../../src/domain/base/instant.ts";
import { keyOf, type Wire } from "../support/client.ts";
import type { Device } from "../support/device.ts";
import type { Which } from "../support/histories.ts";
import type { AgentCall, Filed, Inside, StoredRow } from "../support/world.ts";
import { checkRecords, checkReply } from "./_check.ts";
import {
  claimFiled,
  type Claims,
  claimOwned,
  claimPushed,
  forgetClaims,
  lookAtClaims,
  newClaims,
} from "./_claims.ts";
import {
  copyModel,
  filed,
  gave,
  heard,
  type Model,
  newModel,
  owned,
  pushed,
  seesChild,
} from "./_model.ts";
import { lookForVersions, storedAck } from "./_stored.ts";

/** Watches a server from the inside and throws as soon as anything breaks the rules. */
export type Watch = {
  readonly wire: (wire: Wire, device: Device, which: Which) => Wire;
  readonly agent: (call: AgentCall, act: () => Promise<Filed | null>) => Promise<void>;
  readonly owner: (act: () => Promise<void>) => Promise<void>;
  /** The process ended and started again: what it held in memory is gone. */
  readonly crashed: () => Promise<void>;
  readonly backedUp: () => void;
  readonly restored: () => Promise<void>;
  /** The records as they were last read. */
  readonly rows: () => readonly StoredRow[];
  readonly end: () => Promise<Claims["losses"]>;
};

type State = {
  readonly inside: Inside;
  readonly claims: Claims;
  model: Model;
  backup: Model | null;
  restored: boolean;
  /** The greatest `server_time` issued to anyone. */
  issued: Instant;
  rows: readonly StoredRow[];
};

export const watch = (inside: Inside): Watch => {
  const start = { model: newModel(), claims: newClaims(), backup: null, restored: false };
  const state: State = { ...start, inside, issued: 0, rows: [] };
  return {
    wire: (wire, device, which) => ({
      pull: watchPull(state, wire, which),
      push: watchPush(state, wire, device, which),
    }),
    agent: (call, act) => watchAgent(state, call, act),
    owner: (act) => watchOwner(state, act),
    crashed: () => startAgain(state, state.model),
    backedUp: () => {
      state.backup = copyModel(state.model);
    },
    restored: () => {
      state.restored = true;
      forgetClaims(state.claims);
      return startAgain(state, copyModel(state.backup ?? newModel()));
    },
    rows: () => state.rows,
    end: async () => {
      if (!state.restored) lookForVersions(inside, state.claims.versions, state.rows);
      return state.claims.losses;
    },
  };
};

const look = (state: State, rows: readonly StoredRow[]): void => {
  state.rows = rows;
  checkRecords(state.model, rows, state.issued);
  lookAtClaims(state.claims, rows);
};

const watchPull =
  (state: State, wire: Wire, which: Which): Wire["pull"] =>
  async (since, limit) => {
    heard(state.model, which, since);
    const reply = await wire.pull(since, limit);
    gave(state.model, which, reply, state.inside.wall());
    state.issued = Math.max(state.issued, Date.parse(reply.server_time));
    return reply;
  };

const watchPush =
  (state: State, wire: Wire, device: Device, which: Which): Wire["push"] =>
  async (changes, since) => {
    const { model, inside } = state;
    const before = state.rows;
    const knew = seesChild(model, which, { changes, since }, inside.wall());
    const answers = pushed(model, which, { changes, since }, inside.wall());
    const reply = await wire.push(changes, since);
    const after = await state.inside.rows();
    checkReply(changes, answers, reply, after);
    const sent = device.sent.findLast((one) => one.changes === changes);
    if (sent) claimPushed(state.claims, { device, sent, reply, before, after, knew });
    look(state, after);
    return reply;
  };

const watchAgent = async (
  state: State,
  call: AgentCall,
  act: () => Promise<Filed | null>,
): Promise<void> => {
  const done = await act();
  if (done) {
    const before = state.rows.find((row) => keyOf(row) === `sync_tasks/${call.task}`);
    filed(state.model, call, done, state.inside.wall());
    claimFiled(state.claims, call, done, before);
  }
  look(state, await state.inside.rows());
};

const watchOwner = async (state: State, act: () => Promise<void>): Promise<void> => {
  await act();
  const rows = await state.inside.rows();
  owned(state.model, rows, state.inside.wall());
  claimOwned(state.claims, state.rows, rows);
  look(state, rows);
};

/** When a crash loses what was known of a device, the server may only become more careful. */
const startAgain = async (state: State, model: Model): Promise<void> => {
  state.model = model;
  for (const [which, { since, deliveries }] of model.acks) {
    const stored = storedAck(state.inside, which);
    if (stored.since !== null && (since === null || stored.since > since))
      throw new Error(`device ${which} is taken to have stored ${stored.since}, it said ${since}`);
    model.acks.set(which, { ...stored, deliveries });
  }
  look(state, await state.inside.rows());
};
