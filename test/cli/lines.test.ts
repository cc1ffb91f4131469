import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { testDirectory } from "../support/server.ts";

const LINES = join(import.meta.dir, "../../src/cli/terminal.ts");

/** A program that writes `count` lines of 100 bytes to standard output, closes it, and writes "done" to standard error. */
const program = (count: number): string => `
  const { linesTo } = await import(${JSON.stringify(LINES)});
  const [out, err] = [linesTo(Bun.stdout), linesTo(Bun.stderr)];
  for (let at = 0; at < ${count}; at += 1) void out.write(String(at).padEnd(99, "."));
  await out.end();
  await err.write("done");
  await err.end();
  process.exit(0);
`;

/** Runs the program in a shell line, in which it is called `docket`. */
const shell = async (line: string, count: number) => {
  const file = join(testDirectory(), "lines.ts");
  await Bun.write(file, program(count));
  const words = `docket() { "${process.execPath}" "${file}"; }; set -o pipefail; ${line}`;
  const child = Bun.spawn(["bash", "-c", words], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = [
    await new Response(child.stdout).text(),
    await new Response(child.stderr).text(),
  ];
  return { out, err, code: await child.exited };
};

/** More lines than a pipe holds. */
const MANY = 20_000;

describe("lines on standard output", () => {
  test("all arrive in order, however late the reader starts", async () => {
    const { out, err, code } = await shell("docket | { sleep 1; cat; }", MANY);
    const lines = out.split("\n");
    expect(lines.map((line, at) => line === String(at).padEnd(99, ".")).indexOf(false)).toBe(MANY);
    expect([lines.length, err, code]).toEqual([MANY + 1, "done\n", 0]);
  });

  test("do not end the program if the reader stops", async () => {
    const { out, err, code } = await shell("docket | head -1", MANY);
    expect([out, err, code]).toEqual([`${"0".padEnd(99, ".")}\n`, "done\n", 0]);
  });

  test("do not end the program if the output is closed or full", async () => {
    for (const line of ["docket >&-", "docket >/dev/full"])
      expect(await shell(line, 3)).toMatchObject({ out: "", err: "done\n", code: 0 });
  });

  test("keep their order with standard error in the same file", async () => {
    const { out } = await shell("docket 2>&1 | cat", 2);
    expect(out).toBe(`${"0".padEnd(99, ".")}\n${"1".padEnd(99, ".")}\ndone\n`);
  });
});
