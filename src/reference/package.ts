import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the compiled binary keeps the packed bundle, relative to the code. */
export const PACKED = "packed/explorer.js.br";

/** Returns the package's own browser bundle, as installed. */
export const readPackage = (): Uint8Array<ArrayBuffer> => {
  const bundle = import.meta.resolve("openapi-explorer/dist/browser/openapi-explorer.min.js");
  return new Uint8Array(readFileSync(fileURLToPath(bundle)));
};
