import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the executable keeps the driver, relative to the code. */
export const PACKED_DRIVER = "packed/postgres.js";

/** Loads the driver. */
export const loadDriver = (): Promise<typeof import("./driver.ts")> => {
  const packed = join(import.meta.dir, PACKED_DRIVER);
  return import(existsSync(packed) ? packed : join(import.meta.dir, "driver.ts"));
};
