import { buildFiles, packageFor, packageName } from "./build.ts";
import { TARGETS } from "./manifest.ts";
import { PACKED_FILES, packFiles } from "./packed.ts";

// Runs before a build. The packages are for people. The executable makes the same ones of the files that they share.
const files = await buildFiles();
for (const target of TARGETS)
  await Bun.write(`dist/${packageName(target)}`, packageFor(target, files));
await Bun.write(`dist/${PACKED_FILES}`, packFiles(files));
