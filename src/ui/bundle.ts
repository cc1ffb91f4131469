/** The script that screens load when somebody is about to type a day. */
export const PHRASES = Bun.fileURLToPath(new URL("words/phrases.ts", import.meta.url));

/**
 * Lets a bundle load that script from a file beside it. The bundler's own way adds a loader to the bundle, whose bytes depend on
 * the folder in which the source is.
 */
export const phrasesAt = (path: string): Bun.BunPlugin => ({
  name: "days in plain words",
  setup: (build) => {
    build.onResolve({ filter: /\/words\/phrases\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
});
