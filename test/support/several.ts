import { DOCKET } from "./docket.ts";
import { plainEnvironment, run } from "./program.ts";
import { freePort } from "./postgres.ts";
import { testDirectory } from "./server.ts";

/** One of several servers on one database. */
export type OneOfSeveral = { readonly url: string; readonly child: Bun.Subprocess };

/** Starts the executable on a database of PostgreSQL. It may stand by, and need not listen yet. */
export const startOn = async (
  database: string,
  more: Readonly<Record<string, string>> = {},
): Promise<OneOfSeveral> => {
  const port = freePort();
  const words = ["--port", `${port}`, "--data", testDirectory(), "--log", "off"];
  const child = Bun.spawn([...DOCKET, "serve", ...words], {
    env: plainEnvironment({ DOCKET_DATABASE: database, ...more }),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return { url: `http://127.0.0.1:${port}`, child };
};

/** Runs a command on the database from a machine of its own. Returns what it prints, and throws if it fails. */
export const commandOn =
  (database: string) =>
  async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(DOCKET, [...words, "--data", testDirectory()], {
      env: { DOCKET_DATABASE: database },
      input: "correct horse battery",
    });
    if (code !== 0) throw new Error(err);
    return out.trim();
  };

/** What a server says of whether it works: 200, or 503 if it stands by; null if it does not listen yet. */
export const readiness = async ({ url }: OneOfSeveral): Promise<number | null> => {
  const asked = fetch(`${url}/readyz`, { signal: AbortSignal.timeout(500) });
  return (await asked.catch(() => null))?.status ?? null;
};
