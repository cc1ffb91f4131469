import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lazy } from "../../domain/base/lazy.ts";
import { unpackText } from "../../domain/base/packing.ts";

/** The web app's files as the browser gets them. */
export type Bundle = {
  readonly script: string;
  /** The small script that runs before it. */
  readonly early: string;
  readonly styles: string;
  /** The service worker, before it knows the names of the other files. */
  readonly worker: string;
};

/** Where the compiled binary keeps the packed bundle, relative to the code. */
export const PACKED_APP = "packed/app.json.br";

const SOURCES = join(import.meta.dir, "../../app");

/** Returns the bundle: the packed one in the compiled binary; from source, one made on first use. */
export const readBundle = lazy(async (): Promise<Bundle> => {
  const packed = join(import.meta.dir, PACKED_APP);
  return existsSync(packed)
    ? (JSON.parse(unpackText(readFileSync(packed))) as Bundle)
    : buildBundle();
});

export const buildBundle = async (): Promise<Bundle> => {
  const [script, early, styles, worker] = await Promise.all([
    bundle("main.tsx"),
    bundle("early.ts"),
    bundle("style/app.css"),
    bundle("worker.ts"),
  ]);
  return { script, early, styles, worker };
};

const bundle = async (source: string): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(SOURCES, source)],
    target: "browser",
    format: "esm",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputs[0]?.text() ?? "";
};
