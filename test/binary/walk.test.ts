import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { buildBinary, plainEnvironment } from "../_program.ts";
import { testDirectory } from "../_server.ts";

/** The commands of the README's walk, and what it says that they print, in order. */
const readWalk = async () => {
  const readme = await Bun.file(join(import.meta.dir, "../../README.md")).text();
  const walk = /^## A walk\n(.*?)^## /ms.exec(readme)?.[1] ?? "";
  const script = [...walk.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
  const promises = [...script.matchAll(/^# => (.*)$/gm)].map(([, text]) => text ?? "");
  return { script, promises };
};

const curl = Bun.which("curl");

describe("the README's walk", () => {
  test.skipIf(!curl)(
    curl ? "does and prints what it says, with the binary in an empty directory" : "needs curl",
    async () => {
      const { script, promises } = await readWalk();
      expect(promises.length).toBeGreaterThan(8);
      const [binary = ""] = await buildBinary();
      const port = await freePort();
      const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", `${script}\nkill %1; wait %1`], {
        cwd: testDirectory(),
        env: plainEnvironment({
          PATH: `${join(binary, "..")}:${process.env["PATH"]}`,
          DOCKET_PORT: String(port),
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

/** A port that nobody listens on right now. */
const freePort = async (): Promise<number> => {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
};
