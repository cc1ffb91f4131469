import { join } from "node:path";
import { pack } from "./domain/base/packing.ts";
import { commonPasswords } from "./domain/people/common-passwords.list.ts";
import { PACKED_PASSWORDS } from "./domain/people/common-passwords.ts";
import { PACKED_DRIVER } from "./db/postgres/connect.ts";
import { PACKED_FORMATS } from "./import/file.ts";
import { PACKED_OPENID } from "./web/openid/provider.ts";
import { PACKED_LIBRARY } from "./web/passkeys/ceremony.ts";

// Runs before a build. What few servers need is one packed file each in the executable: see `loadLibrary`.
const LIBRARIES = [
  ["db/postgres/driver.ts", PACKED_DRIVER],
  ["import/read.ts", PACKED_FORMATS],
  ["web/openid/library.ts", PACKED_OPENID],
  ["web/passkeys/library.ts", PACKED_LIBRARY],
] as const;

for (const [source, packed] of LIBRARIES) {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, source)],
    target: "bun",
    format: "esm",
    external: ["pg-native"],
    minify: true,
  });
  for (const output of outputs) await Bun.write(`dist/${packed}`, pack(await output.text()));
}

await Bun.write(`dist/${PACKED_PASSWORDS}`, pack(commonPasswords()));
