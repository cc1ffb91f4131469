import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { run } from "./program.ts";

/**
 * The official suite (MIT): its newest pre-release, because the last release does not know the
 * current revision.
 */
const SUITE = [
  process.execPath,
  fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js")),
];

/** The scenarios for servers, with the revisions that each one is for. */
export const listScenarios = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { out } = await run(SUITE, ["list", "--server"]);
  const lines = [...out.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)];
  return new Map(lines.map(([, name = "", revisions = ""]) => [name, revisions.split(",")]));
};

type Check = { readonly id: string; readonly status: string };

/** Runs a scenario in one revision. Returns the result of each check. */
export const runScenario = async (
  directory: string,
  url: string,
  scenario: string,
  revision: string,
): Promise<readonly Check[]> => {
  const place = join(directory, `${scenario}-${revision}`);
  const words = ["--url", url, "--scenario", scenario, "--spec-version", revision, "-o", place];
  const { err } = await run(SUITE, ["server", ...words]);
  const [made = ""] = readdirSync(place);
  const checks: readonly Check[] = await Bun.file(join(place, made, "checks.json")).json();
  if (checks.length === 0) throw new Error(`The scenario ${scenario} checked nothing: ${err}`);
  return checks;
};
