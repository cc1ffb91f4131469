import { GUIDES_PACKED } from "./guides.ts";
import { renderGuides } from "./markdown.ts";
import { PACKED, readPackage } from "./package.ts";

/** Writes data for the executable to embed. */
const pack = (path: string, data: Uint8Array<ArrayBuffer> | string) =>
  Bun.write(`dist/${path}`, Bun.zstdCompressSync(data, { level: 22 }));

// Run before a build. Packed, the package takes 0.2 MB of the executable instead of 0.8 MB.
await pack(PACKED, readPackage());
// The guides are turned into HTML here, so that the executable needs no Markdown parser.
await pack(GUIDES_PACKED, JSON.stringify(await renderGuides()));
