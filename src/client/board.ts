import { EMPTY_SCREEN, shownOf } from "./shown.ts";
import type { ClientState } from "./state.ts";

/** Holds the state, and tells who listens. */
export type Board = {
  readonly state: () => ClientState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Changes a part of the state. */
  readonly patch: (part: Partial<ClientState>) => void;
};

const EMPTY: ClientState = {
  ...shownOf(EMPTY_SCREEN),
  isWhole: false,
  saving: 0,
  sync: { kind: "idle" },
  syncedAt: null,
  steps: [],
  storage: "good",
  restoredAt: null,
  mustReload: false,
};

export const newBoard = (): Board => {
  let current = EMPTY;
  const listeners = new Set<() => void>();
  return {
    state: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    patch: (part) => {
      current = { ...current, ...part };
      for (const listener of listeners) listener();
    },
  };
};
