import { signal } from "@preact/signals";
import type { Connection } from "./connection.ts";

/** Who is signed in, on this page; null while nobody is. */
export const connected = signal<Connection | null>(null);
