import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the packed bundle lies in the compiled binary, beside the code. */
export const PACKED = "packed/explorer.js.zst";

/** The package's own bundle for browsers, as it was installed. */
export const readPackage = (): Uint8Array<ArrayBuffer> => {
  const bundle = import.meta.resolve("openapi-explorer/dist/browser/openapi-explorer.min.js");
  return new Uint8Array(readFileSync(fileURLToPath(bundle)));
};
