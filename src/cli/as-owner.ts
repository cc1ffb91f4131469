import { statSync } from "node:fs";

/**
 * A command that root runs works as the user to whom the data belong, so that it leaves no file that a server of that
 * user could not open. It may still do what root may: systemd keeps the data of a service with a user of its own below a
 * directory that only root can enter, and a backup may be in root's home.
 */
export const workAsOwnerOf = (directory: string): void => {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(directory, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return;
  keepCapabilities();
  process.setgroups?.([]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
};

// From Linux's headers.
const PR_SET_SECUREBITS = 28;
const SECBIT_NO_SETUID_FIXUP = 1 << 2;

/** Bun cannot ask the system for this, so the C library does (capabilities(7)). Without that one, the rights go. */
const keepCapabilities = (): void => {
  if (process.platform !== "linux") return;
  try {
    const { dlopen } = require("bun:ffi") as typeof import("bun:ffi");
    const long = { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" } as const;
    const { symbols } = dlopen("libc.so.6", { prctl: long });
    symbols.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0);
  } catch {
    // Then the command can open what the owner can.
  }
};
