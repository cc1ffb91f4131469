import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildBinary, plainEnvironment } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

type Walk = {
  readonly file: string;
  readonly title: string;
  /** How many of its lines state what is printed. */
  readonly promises: number;
  /** Commands that the reader has run before the walk begins. */
  readonly before?: string;
};

const WALKS: readonly Walk[] = [
  { file: "src/reference/guides/sync.md", title: "A walk", promises: 15 },
  { file: "src/reference/guides/sync.md", title: "Test against a sandbox", promises: 9 },
  {
    file: "src/reference/guides/sync.md",
    title: "Check a server",
    promises: 1,
    before: `
      export DOCKET_DATA="$PWD/data"
      docket serve &
      until docket healthcheck; do sleep 0.1; done
    `,
  },
  { file: "src/reference/guides/agents.md", title: "An agent's walk", promises: 9 },
  {
    file: "README.md",
    title: "Your first agent",
    promises: 4,
    before: `
      export DOCKET_DATA="$PWD/data"
      docket serve &
      until docket healthcheck; do sleep 0.1; done
      docket account add ann@example.org
    `,
  },
];

/** Returns the commands of a walk, and the output that it promises, in order. */
const readWalk = async ({ file, title, before = "" }: Walk) => {
  const text = await Bun.file(join(import.meta.dir, "../..", file)).text();
  const [, walk = ""] = new RegExp(`^## ${title}\\n(.*?)(?=^## |(?![^]))`, "ms").exec(text) ?? [];
  const blocks = [...walk.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  const script = [before, ...blocks].join("\n");
  const promises = [...script.matchAll(/^# => (.*)$/gm)].map(([, promise]) => promise ?? "");
  return { script, promises };
};

const curl = Bun.which("curl");

describe("The walks of the README and the guides", () => {
  test.skipIf(!curl).each(WALKS.map((walk) => [`${walk.title}, ${walk.file},`, walk] as const))(
    curl
      ? "%s does and prints what it says, with the binary in an empty directory"
      : "%s needs curl",
    async (_name, walk) => {
      const port = freePort();
      const url = `http://127.0.0.1:${port}`;
      const { script: written, promises } = await readWalk(walk);
      expect(promises.length).toBe(walk.promises);
      const script = written.replaceAll("http://127.0.0.1:3625", url);
      const [binary = ""] = await buildBinary();
      const child = Bun.spawn(
        ["bash", "-euo", "pipefail", "-c", `${END}\n${script}\nkill %1; wait %1`],
        {
          cwd: directoryWithPackages(),
          env: plainEnvironment({
            PATH: `${join(binary, "..")}:${process.env["PATH"]}`,
            DOCKET_PORT: String(port),
            DOCKET_URL: url,
            API: `${url}/api/public/v1`,
          }),
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe",
        },
      );
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect([await child.exited, err]).toEqual([0, expect.stringContaining("Stopped.")]);
      let from = 0;
      for (const promise of promises) {
        expect(out.slice(from)).toContain(promise);
        from = out.indexOf(promise, from) + promise.length;
      }
    },
  );
});

/** A server whose walk fails would keep this test waiting for the end of what it prints. */
const END = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT";

/** An empty directory, except for the packages that a walk tells its reader to install. */
const directoryWithPackages = (): string => {
  const directory = testDirectory();
  symlinkSync(join(import.meta.dir, "../../node_modules"), join(directory, "node_modules"));
  return directory;
};

/**
 * Returns a port that nothing uses right now. It is below those that the system gives out, so that no connection of
 * another test takes it before the server does.
 */
const freePort = (): number => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => {} } }).stop(true);
      return port;
    } catch {
      // Somebody has it.
    }
  }
};
