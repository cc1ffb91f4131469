import { existsSync } from "node:fs";
import { test } from "bun:test";

/** Where Debian's package `faketime` puts the library that lies about the time. */
export const FAKETIME =
  ["x86_64", "aarch64"]
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
    .find((file) => existsSync(file)) ?? null;

const isRoot = process.getuid?.() === 0;

/** What stands before a command that only root may run. Where all is checked, that is asked for without a word. */
export const asRoot: readonly string[] = isRoot || !process.env["CI"] ? [] : ["sudo", "-n"];

/** What a test needs of the machine, and whether it is there. */
const NEEDS = {
  root: () => isRoot || (asRoot.length > 0 && Bun.spawnSync([...asRoot, "true"]).success),
  "mkfs.ext4": () => Bun.which("mkfs.ext4") !== null,
  "loop devices": () => existsSync("/dev/loop-control"),
  strace: () => Bun.which("strace") !== null,
  faketime: () => FAKETIME !== null,
} as const;

type Need = keyof typeof NEEDS;

/** What it takes to mount a file system of one's own. */
export const MOUNT: readonly Need[] = ["root", "mkfs.ext4", "loop devices"];

/** A test that is skipped, and says why in its name, where the machine lacks something. */
export const testWith = (
  needs: readonly Need[],
  name: string,
  body: () => Promise<void>,
  timeout = 30_000,
): void => {
  const missing = needs.filter((need) => !NEEDS[need]());
  test.skipIf(missing.length > 0)(
    missing.length === 0 ? name : `${name}: needs ${missing.join(" and ")}`,
    body,
    timeout,
  );
};
