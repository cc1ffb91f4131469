import { buildFiles, packageFor, packageName } from "./build.ts";
import { TARGETS } from "./manifest.ts";

// Runs before a build. The packages are for people, and the executable carries them too.
const files = await buildFiles();
for (const target of TARGETS) {
  const archive = packageFor(target, files);
  await Bun.write(`dist/${packageName(target)}`, archive);
  await Bun.write(`dist/packed/${packageName(target)}`, archive);
}
