import { existsSync } from "node:fs";
import { test } from "bun:test";

/** The library that fakes the time, where Debian's package `faketime` installs it. */
export const FAKETIME =
  ["x86_64", "aarch64"]
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
    .find((file) => existsSync(file)) ?? null;

const isRoot = process.getuid?.() === 0;

/** The prefix of a command that only root may run. In CI, sudo is used without asking for a password. */
export const asRoot: readonly string[] = isRoot || !process.env["CI"] ? [] : ["sudo", "-n"];

/** What a test may need from the machine, and whether the machine has it. */
const NEEDS = {
  root: () => isRoot || (asRoot.length > 0 && Bun.spawnSync([...asRoot, "true"]).success),
  "mkfs.ext4": () => Bun.which("mkfs.ext4") !== null,
  "loop devices": () => existsSync("/dev/loop-control"),
  strace: () => Bun.which("strace") !== null,
  faketime: () => FAKETIME !== null,
  moto_server: () => Bun.which("moto_server") !== null,
  litestream: () => Bun.which("litestream") !== null,
} as const;

type Need = keyof typeof NEEDS;

/** What a test needs to mount its own file system. */
export const MOUNT: readonly Need[] = ["root", "mkfs.ext4", "loop devices"];

/** A test that is skipped if the machine lacks something. Its name then says what is missing. */
export const testWith = (
  needs: readonly Need[],
  name: string,
  body: () => Promise<void>,
  timeout?: number,
): void => {
  const missing = needs.filter((need) => !NEEDS[need]());
  test.skipIf(missing.length > 0)(
    missing.length === 0 ? name : `${name}: needs ${missing.join(" and ")}`,
    body,
    timeout,
  );
};
