import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Client } from "../../client/client.ts";
import { client } from "./client.ts";

const known = new WeakMap<Client, Map<string, Signal<string | null>>>();

/** The picture of a host, as the address of an image; null as long as none is known. Drawn again once it is. */
export const iconOf = (host: string): ReadonlySignal<string | null> => {
  const now = client();
  const icons = known.get(now) ?? new Map<string, Signal<string | null>>();
  known.set(now, icons);
  const there = icons.get(host);
  if (there) return there;
  const icon = signal<string | null>(null);
  icons.set(host, icon);
  now.icons.want(host, (png) => (icon.value = `data:image/png;base64,${png}`));
  return icon;
};
