import { describe, expect, test } from "bun:test";
import { DOCKET } from "../support/docket.ts";
import { plainEnvironment, run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

/** Sets ann's password in a terminal. Returns what the terminal showed, and the exit code. */
const typePassword = async (redirect: string) => {
  const data = ["--data", testDirectory()];
  await run(DOCKET, ["account", "add", "ann@example.org", ...data]);
  const words = quoted([...DOCKET, "account", "password", "ann@example.org", ...data]);
  const child = Bun.spawn(["script", "-qec", `${words} ${redirect}`, "/dev/null"], {
    env: plainEnvironment(),
    stdin: "pipe",
    stdout: "pipe",
  });
  // Until the program asks, the terminal itself would show what is typed.
  await Bun.sleep(2_000);
  child.stdin.write("correct horse battery\n");
  const shown = new Response(child.stdout).text();
  const code = await child.exited;
  return { code, shown: await shown };
};

describe.skipIf(Bun.which("script") === null)("a password typed in a terminal", () => {
  test("is asked for and not shown", async () => {
    const { code, shown } = await typePassword("");
    expect(code).toBe(0);
    expect(shown).toStartWith("New password: \r\nSet a new password for ann@example.org.");
    expect(shown).not.toContain("horse");
  });

  test("is accepted even if nothing can be printed", async () => {
    expect(await typePassword("2>/dev/full")).toEqual({ code: 0, shown: "" });
  });
});
