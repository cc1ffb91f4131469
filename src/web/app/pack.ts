import { pack } from "../../domain/base/packing.ts";
import { buildBundle, PACKED_APP } from "./files.ts";

// Runs before a build: the executable has the finished bundle, and needs no bundler.
await Bun.write(`dist/${PACKED_APP}`, pack(JSON.stringify(await buildBundle())));
