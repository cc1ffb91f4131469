import { join } from "node:path";
import { PACKED_LIBRARY } from "./ceremony.ts";

// Runs before a build.
const { outputs } = await Bun.build({
  entrypoints: [join(import.meta.dir, "library.ts")],
  target: "bun",
  format: "esm",
  minify: { whitespace: true, syntax: true },
});
for (const output of outputs) await Bun.write(`dist/${PACKED_LIBRARY}`, output);
