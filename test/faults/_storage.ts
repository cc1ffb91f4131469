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
import { newDirectory } from "../db/_place.ts";
import { asRoot } from "./_needs.ts";

/** A small file system of a test's own: a file that is mounted. */
export type Storage = {
  /** A data directory on it. */
  readonly directory: string;
  /** Takes all the room that is left, and gives it back. */
  readonly fill: () => void;
  readonly makeRoom: () => void;
  /** Mounts it anew, for reading alone or for writing too; nobody may be using it. */
  readonly remount: (how: "ro" | "rw") => void;
  /** What a kernel does that finds the file system broken: nothing can be written any more. */
  readonly breakOff: () => void;
  /** Repairs it after that; nobody may be using it. */
  readonly repair: () => void;
};

const sh = (...command: readonly string[]): string => {
  const { success, stdout, stderr } = Bun.spawnSync([...asRoot, ...command]);
  if (!success) throw new Error(`${command.join(" ")}: ${String(stderr)}`);
  return String(stdout).trim();
};

/** Makes and mounts it; it is gone when the test is done. Nothing of it is kept for root alone. */
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
    // Lazily: what this process has opened there, it lets go of when it likes.
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

/** Writes until there is no room for a single byte more. */
const fill = (file: string): void => {
  for (const size of [1024 * 1024, 4096, 1])
    try {
      for (;;) writeFileSync(file, new Uint8Array(size), { flag: "a" });
    } catch (error) {
      if (!String(error).includes("ENOSPC")) throw error;
    }
};

/** The data as they are on the disk, in short. SQLite may leave a log behind that is empty. */
export const filesIn = (directory: string): readonly string[] =>
  ["docket.db", "docket.db-wal"].map((name) => {
    const file = join(directory, name);
    return new Bun.SHA256().update(existsSync(file) ? readFileSync(file) : "").digest("hex");
  });
