import { describe, expect, test } from "bun:test";
import { DOCKET } from "../support/docket.ts";
import { plainEnvironment, run } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

/** Whether what is typed in this terminal is not shown. */
const isHidden = (terminal: string): boolean =>
  Bun.spawnSync(["stty", "-a", "-F", terminal]).stdout.includes(" -echo ");

/** Sets ann's password in a terminal. Returns what the terminal showed, and the exit code. */
const typePassword = async (redirect: string) => {
  const data = ["--data", testDirectory()];
  await run(DOCKET, ["account", "add", "ann@example.org", ...data]);
  const words = quoted([...DOCKET, "account", "password", "ann@example.org", ...data]);
  const child = Bun.spawn(["script", "-qec", `tty; ${words} ${redirect}`, "/dev/null"], {
    env: plainEnvironment(),
    stdin: "pipe",
    stdout: "pipe",
  });
  let shown = "";
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) shown += text;
  })();
  // Until the program asks, the terminal itself would show what is typed.
  await until(() => {
    const [terminal = "", ...more] = shown.split("\r\n");
    return more.length > 0 && isHidden(terminal);
  });
  child.stdin.write("correct horse battery\n");
  const code = await child.exited;
  await reading;
  return { code, shown: shown.slice(shown.indexOf("\r\n") + 2) };
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
