import { onTestFinished } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { newDirectory } from "../db/place.ts";
import { asRoot } from "./needs.ts";

/** A small file system for one test: a file that is mounted. */
export type Storage = {
  /** A data directory on it. */
  readonly directory: string;
  /** `fill` takes all the space that is left; `makeRoom` gives it back. */
  readonly fill: () => void;
  readonly makeRoom: () => void;
  /** Mounts it again, read-only or writable. Nobody may be using it. */
  readonly remount: (how: "ro" | "rw") => void;
  /** Does what a kernel does when it finds the file system broken: makes it read-only. */
  readonly breakOff: () => void;
  /** Repairs it after `breakOff`. Nobody may be using it. */
  readonly repair: () => void;
};

const sh = (...command: readonly string[]): string => {
  const { success, stdout, stderr } = Bun.spawnSync([...asRoot, ...command]);
  if (!success) throw new Error(`${command.join(" ")}: ${String(stderr)}`);
  return String(stdout).trim();
};

/** Creates and mounts a file system, and removes it after the test. No blocks are reserved for root. */
export const mountStorage = (megabytes: number): Storage => {
  const place = realpathSync(newDirectory());
  const [image, mount] = [join(place, "image"), join(place, "mounted")];
  const [filler, directory] = [join(mount, "filler"), join(mount, "data")];
  writeFileSync(image, "");
  truncateSync(image, megabytes * 1024 * 1024);
  sh("mkfs.ext4", "-q", "-m", "0", image);
  mkdirSync(mount);
  const attach = (): string => sh("mount", "-o", "loop,errors=remount-ro", image, mount);
  attach();
  onTestFinished(() => {
    // Lazily: this process may still have files open there.
    Bun.spawnSync([...asRoot, "umount", "--lazy", mount]);
    rmSync(place, { recursive: true, force: true });
  });
  sh("chmod", "777", mount);
  mkdirSync(directory, { mode: 0o700 });
  return {
    directory,
    fill: () => fill(filler),
    makeRoom: () => rmSync(filler),
    remount: (how) => void sh("mount", "-o", `remount,${how}`, mount),
    breakOff: () => {
      const device = basename(sh("findmnt", "-n", "-o", "SOURCE", mount));
      sh("sh", "-c", `echo 1 > /sys/fs/ext4/${device}/trigger_fs_error`);
    },
    repair: () => {
      sh("umount", mount);
      Bun.spawnSync([...asRoot, "e2fsck", "-fy", image]);
      attach();
    },
  };
};

/** Writes until not a single byte more fits. */
const fill = (file: string): void => {
  for (const size of [1024 * 1024, 4096, 1])
    try {
      for (;;) writeFileSync(file, new Uint8Array(size), { flag: "a" });
    } catch (error) {
      if (!String(error).includes("ENOSPC")) throw error;
    }
};

/** Hashes of the data on the disk. SQLite may leave an empty log behind. */
export const filesIn = (directory: string): readonly string[] =>
  ["docket.db", "docket.db-wal"].map((name) => {
    const file = join(directory, name);
    return new Bun.SHA256().update(existsSync(file) ? readFileSync(file) : "").digest("hex");
  });
