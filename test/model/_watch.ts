import { walkBack } from "../../src/db/versions.ts";
import { findRecord } from "../../src/db/records.ts";
import type { Instant } from "../../src/instant.ts";
import { keyOf, type Wire } from "../_client.ts";
import type { Device } from "../_device.ts";
import type { Which } from "../_histories.ts";
import type { AgentCall, Filed, Inside, StoredRow, World } from "../_world.ts";
import { storedAck } from "./_stored.ts";
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
import { canonical } from "./_lww.ts";
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

/** Watches a server from within: it throws as soon as something is not as the contract says. */
export type Watch = {
  readonly wire: (wire: Wire, device: Device, which: Which) => Wire;
  /** Sends a push of before again. */
  readonly agent: (call: AgentCall, act: () => Promise<Filed | null>) => Promise<void>;
  readonly owner: (act: () => Promise<void>) => Promise<void>;
  readonly crashed: () => Promise<void>;
  readonly backedUp: () => void;
  readonly restored: () => Promise<void>;
  readonly end: () => Promise<Claims["counts"]>;
};

type State = {
  model: Model;
  backup: Model | null;
  restored: boolean;
  readonly claims: Claims;
  issued: Instant;
  rows: readonly StoredRow[];
};

export const watch = (world: World, inside: Inside): Watch => {
  const state: State = {
    model: newModel(),
    backup: null,
    restored: false,
    claims: newClaims(),
    issued: 0,
    rows: [],
  };
  const look = async (): Promise<void> => {
    state.rows = await world.stored();
    checkRecords(state.model, state.rows, state.issued);
    lookAtClaims(state.claims, state.rows);
  };
  return {
    wire: (wire, device, which) => ({
      pull: async (since, limit) => {
        heard(state.model, which, since);
        const reply = await wire.pull(since, limit);
        gave(state.model, which, reply, inside.wall());
        state.issued = Math.max(state.issued, Date.parse(reply.server_time));
        return reply;
      },
      push: async (changes, since) => {
        const sent = device.sent.findLast((one) => one.changes === changes);
        const before = state.rows;
        const knew = seesChild(state.model, which, { changes, since }, inside.wall());
        const answers = pushed(state.model, which, { changes, since }, inside.wall());
        const reply = await wire.push(changes, since);
        const after = await world.stored();
        checkReply(changes, answers, reply, after);
        checkRecords(state.model, after, state.issued);
        if (sent) claimPushed(state.claims, device, sent, reply, { before, after }, knew);
        await look();
        return reply;
      },
    }),
    agent: async (call, act) => {
      const before = state.rows.find((row) => keyOf(row) === `sync_tasks/${call.task}`);
      const done = await act();
      if (!done) return look();
      filed(state.model, call, done, inside.wall());
      claimFiled(state.claims, call, done, before);
      await look();
    },
    owner: async (act) => {
      await act();
      const rows = await world.stored();
      owned(state.model, rows, inside.wall());
      claimOwned(state.claims, rows);
      await look();
    },
    crashed: async () => {
      for (const which of state.model.acks.keys()) forgetAck(state.model, inside, which);
      await look();
    },
    backedUp: () => {
      state.backup = copyModel(state.model);
    },
    restored: async () => {
      if (state.backup) state.model = copyModel(state.backup);
      state.restored = true;
      forgetClaims(state.claims);
      for (const which of state.model.acks.keys()) forgetAck(state.model, inside, which);
      await look();
    },
    end: async () => {
      if (!state.restored) lookForVersions(state.claims, inside, state.rows);
      return state.claims.counts;
    },
  };
};

/** What a crash takes of what was known of a device must only make the server more careful. */
const forgetAck = ({ acks }: Model, inside: Inside, which: Which): void => {
  const known = acks.get(which);
  const stored = storedAck(inside, which);
  const { since } = stored;
  if (since !== null && (known?.since == null || since > known.since))
    throw new Error(
      `after a crash device ${which} seems to have stored ${since}, not ${known?.since}`,
    );
  acks.set(which, { ...stored, deliveries: known?.deliveries ?? [] });
};

/** Nothing vanishes: every version that stood, or was refused, can be had again by going back. */
const lookForVersions = (
  { versions }: Claims,
  inside: Inside,
  rows: readonly StoredRow[],
): void => {
  const { reader } = inside.store();
  for (const row of rows) {
    const record = findRecord(reader, inside.accountId, row.table, row.id);
    const had = new Set([canonical([row.deleted_at, row.payload])]);
    if (record)
      for (const { before } of walkBack(reader, record))
        if (before) had.add(canonical([before.deletedAt, before.payload]));
    for (const version of versions.get(keyOf(row)) ?? [])
      if (!had.has(version)) throw new Error(`a version of ${keyOf(row)} has vanished: ${version}`);
  }
};
