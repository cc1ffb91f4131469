import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writePictures } from "../support/extension/pictures.ts";

// Writes the icons and screenshots for the stores into a directory: bun run store DIRECTORY

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  process.stderr.write("Say where to write them: bun run store DIRECTORY\n");
  process.exit(2);
}
const data = mkdtempSync(join(tmpdir(), "docket-store-"));
try {
  await writePictures({ directory: resolve(directory), data });
} finally {
  rmSync(data, { recursive: true, force: true });
}
