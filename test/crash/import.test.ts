import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { heldBy } from "../support/import/held.ts";
import { FILES_OF } from "../support/import/big.ts";
import { buildBinary, plainEnvironment, run } from "../support/program.ts";
import { dice, seed, times } from "../support/random.ts";
import { testDirectory } from "../support/server.ts";

/** With `HISTORIES=13`, as many as a large collection has. */
const LINKS = times(4_000);

test.each(Object.entries(FILES_OF))(
  "An import of %s that is killed goes on to the same end",
  async (kind, write) => {
    const program = await buildBinary();
    const random = dice(seed);
    const made = async (kills: number): Promise<unknown> => {
      const directory = testDirectory();
      const file = join(directory, `big.${kind}`);
      writeFileSync(file, write(LINKS));
      const words = ["--data", directory];
      await run(program, ["account", "add", "ann@example.org", ...words]);
      for (let left = kills; left > 0; left -= 1) {
        const child = Bun.spawn([...program, "import", file, ...words], {
          env: plainEnvironment(),
          stdout: "ignore",
          stderr: "ignore",
        });
        await Bun.sleep(100 + random(400));
        child.kill("SIGKILL");
        await child.exited;
      }
      const { code } = await run(program, ["import", file, ...words]);
      expect(code).toBe(0);
      return heldBy(directory);
    };
    expect(await made(times(4))).toEqual(await made(0));
  },
  300_000 * times(1),
);
