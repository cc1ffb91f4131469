import { computed, signal } from "@preact/signals";
import type { Client, ClientState } from "../../client/client.ts";

const opened = signal<Client | null>(null);
const current = signal<ClientState | null>(null);

/** Shows a client's state in all views from now on. */
export const showClient = (client: Client): void => {
  current.value = client.state();
  opened.value = client;
  client.subscribe(() => (current.value = client.state()));
};

/** The client. Views are drawn only once there is one. */
export const client = (): Client => {
  if (opened.value === null) throw new Error("No store is open.");
  return opened.value;
};

/** What the store holds now. A view that reads it is drawn again when it changes. */
export const state = (): ClientState => current.value ?? client().state();

export const tasks = computed(() => state().tasks);
export const folders = computed(() =>
  [...state().folders.values()].toSorted(
    (a, b) => compare(a.position ?? "~", b.position ?? "~") || a.name.localeCompare(b.name),
  ),
);
export const buckets = computed(() =>
  [...state().buckets.values()].toSorted(
    (a, b) => compare(a.position ?? "~", b.position ?? "~") || a.name.localeCompare(b.name),
  ),
);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
