import manifest from "../../../package.json" with { type: "json" };

/** The program's version (semver). */
export const VERSION: string = manifest.version;
