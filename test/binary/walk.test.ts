import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildBinary, plainEnvironment } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

/** The commands of a walk in the README, and what it says that they print, in order. */
const readWalk = async (title: string) => {
  const readme = await Bun.file(join(import.meta.dir, "../../README.md")).text();
  const [, walk = ""] = new RegExp(`^## ${title}\\n(.*?)^## `, "ms").exec(readme) ?? [];
  const script = [...walk.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
  const promises = [...script.matchAll(/^# => (.*)$/gm)].map(([, text]) => text ?? "");
  return { script, promises };
};

const curl = Bun.which("curl");

describe("the README's walks", () => {
  test.skipIf(!curl).each(["A walk", "An agent's walk"])(
    curl
      ? "%s does and prints what it says, with the binary in an empty directory"
      : "%s needs curl",
    async (title) => {
      const { script, promises } = await readWalk(title);
      expect(promises.length).toBeGreaterThan(8);
      const [binary = ""] = await buildBinary();
      const port = await freePort();
      const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", `${script}\nkill %1; wait %1`], {
        cwd: directoryWithPackages(),
        env: plainEnvironment({
          PATH: `${join(binary, "..")}:${process.env["PATH"]}`,
          DOCKET_PORT: String(port),
          DOCKET_URL: `http://127.0.0.1:${port}`,
          API: `http://127.0.0.1:${port}/api/public/v1`,
        }),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
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
    // The walk waits for the limiter's minute.
    120_000,
  );
});

/** An empty directory, but for the packages that a walk has its reader install. */
const directoryWithPackages = (): string => {
  const directory = testDirectory();
  symlinkSync(join(import.meta.dir, "../../node_modules"), join(directory, "node_modules"));
  return directory;
};

/** A port that nobody listens on right now. */
const freePort = async (): Promise<number> => {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
};
