import { lazy } from "../../domain/base/lazy.ts";
import { loadLibrary } from "../../domain/base/packing.ts";

/** Where the executable keeps the driver, relative to the code. */
export const PACKED_DRIVER = "packed/postgres.js.br";

/** Loads the driver. */
export const loadDriver = lazy(() =>
  loadLibrary<typeof import("./driver.ts")>(import.meta.dir, PACKED_DRIVER, "driver.ts"),
);
