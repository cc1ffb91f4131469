import { libraryPath } from "../../domain/base/packing.ts";

/** Where the executable keeps the driver, relative to the code. */
export const PACKED_DRIVER = "packed/postgres.js";

/** Loads the driver. */
export const loadDriver = (): Promise<typeof import("./driver.ts")> =>
  import(libraryPath(import.meta.dir, PACKED_DRIVER, "driver.ts"));
