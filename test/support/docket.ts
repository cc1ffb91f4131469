import { buildBinary } from "./program.ts";

/** The command that runs the executable. A run of the tests builds it first: from source, each command takes five times as long. */
export const DOCKET = await buildBinary();
