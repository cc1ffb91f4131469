const LIBRARY = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";

/**
 * Ends the process at once. `process.exit` would let Bun close the database first, and SQLite would then
 * write and sync once more. If the C library's `_exit` cannot be called, the process kills itself.
 */
export const halt = (code: number): void => {
  try {
    const { dlopen } = require("bun:ffi") as typeof import("bun:ffi");
    dlopen(LIBRARY, { _exit: { args: ["i32"], returns: "void" } }).symbols._exit(code);
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
};
