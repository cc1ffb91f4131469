import manifest from "../../../package.json" with { type: "json" };

/** Docket's version (semver). */
export const VERSION: string = manifest.version;
