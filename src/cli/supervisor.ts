import { SECOND } from "../domain/base/instant.ts";

/** The service manager that started this process and wants to hear of it (sd_notify(3)). */
export type Supervisor = {
  /** The server answers. From now on, the manager hears in time that it is alive, if it wants to. */
  readonly ready: () => void;
  readonly stopping: () => void;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Takes the manager's address out of the environment. Without one, or on another system than Linux, nothing is said. */
export const supervisorOf = (environment: Environment): Supervisor => {
  const address = environment["NOTIFY_SOCKET"];
  const isFree = address === undefined || process.platform !== "linux";
  const tell = isFree ? (): void => {} : tellerTo(address);
  const micros = Number(environment["WATCHDOG_USEC"]);
  const pid = environment["WATCHDOG_PID"];
  const isWatched = micros > 0 && (pid === undefined || pid === String(process.pid));
  return {
    ready: () => {
      tell("READY=1");
      // Twice as often as it must be. A server whose event loop hangs says nothing.
      if (isWatched && !isFree)
        setInterval(() => tell("WATCHDOG=1"), Math.max(SECOND / 2, micros / 2_000)).unref();
    },
    stopping: () => tell("STOPPING=1"),
  };
};

// From Linux's headers.
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_NOSIGNAL = 0x4000;

/** Bun has no datagram sockets in the file system, so the C library sends the words. Failing to is no reason to stop. */
const tellerTo = (address: string): ((words: string) => void) => {
  try {
    const { dlopen, ptr } = require("bun:ffi") as typeof import("bun:ffi");
    const { symbols } = dlopen("libc.so.6", {
      socket: { args: ["i32", "i32", "i32"], returns: "i32" },
      sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    });
    const to = addressBytes(address);
    const socket = symbols.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return (words) => {
      const bytes = new TextEncoder().encode(words);
      symbols.sendto(socket, ptr(bytes), bytes.length, MSG_NOSIGNAL, ptr(to), to.length);
    };
  } catch {
    return () => {};
  }
};

/** A `sockaddr_un` (unix(7)). A name that begins with @ is not in the file system: it begins with a zero instead. */
const addressBytes = (address: string): Uint8Array => {
  const path = new TextEncoder().encode(address.replace(/^@/, "\0"));
  const bytes = new Uint8Array(2 + path.length);
  new DataView(bytes.buffer).setUint16(0, AF_UNIX, true);
  bytes.set(path, 2);
  return bytes;
};
