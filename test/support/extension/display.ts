import { describe } from "bun:test";
import { until } from "./home.ts";

/** A screen of its own, without a window manager, with the keyboard and the mouse of somebody who sits before it. */
export type Display = {
  /** What the variable `DISPLAY` names it by. */
  readonly name: string;
  /** Presses keys together, such as `alt+shift+q`, in the window that has the focus. */
  readonly press: (keys: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Gives the focus to the largest window. */
  readonly focus: () => Promise<void>;
  /** Opens the context menu at a point of the screen, and chooses lines of it by their first letters. */
  readonly choose: (x: number, y: number, letters: readonly string[]) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** `describe` for tests that need a screen. They count as skipped if Debian's `xvfb` or `xdotool` is missing. */
export const onDisplay = describe.skipIf(
  Bun.which("Xvfb") === null || Bun.which("xdotool") === null,
);

export const startDisplay = async (): Promise<Display> => {
  const server = Bun.spawn(
    ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
    { stdout: "pipe", stderr: "ignore" },
  );
  // A test that fails before it ends the screen leaves none behind.
  process.once("exit", () => server.kill());
  const { value: number } = await server.stdout.getReader().read();
  const name = `:${new TextDecoder().decode(number).trim()}`;
  const xdotool = async (...words: readonly string[]): Promise<string> => {
    const env = { ...process.env, DISPLAY: name };
    const tool = Bun.spawn(["xdotool", ...words], { env, stdout: "pipe", stderr: "ignore" });
    return new Response(tool.stdout).text();
  };
  const windowsTo = async (depth: string): Promise<readonly string[]> => {
    const found = await xdotool("search", "--onlyvisible", "--maxdepth", depth, ".*");
    return found.split("\n").filter(Boolean);
  };
  const root = await windowsTo("0");
  const windows = async (): Promise<readonly string[]> =>
    (await windowsTo("1")).filter((id) => !root.includes(id));
  /** Does what opens a menu, and waits until that is there. */
  const opens = async (act: () => Promise<unknown>): Promise<void> => {
    const before = (await windows()).length;
    await act();
    await until(windows, (all) => all.length > before);
  };
  const sizeOf = async (id: string): Promise<number> => {
    const [, width, height] =
      /WIDTH=(\d+)\s+HEIGHT=(\d+)/.exec(await xdotool("getwindowgeometry", "--shell", id)) ?? [];
    return Number(width) * Number(height) || 0;
  };
  const press = async (keys: string): Promise<void> => {
    await xdotool("key", keys);
  };
  return {
    name,
    press,
    type: async (text) => {
      await xdotool("type", "--delay", "20", text);
    },
    focus: async () => {
      const sized = (await windows()).map(async (id) => ({ id, size: await sizeOf(id) }));
      const [largest] = (await Promise.all(sized)).toSorted((a, b) => b.size - a.size);
      await xdotool("windowfocus", "--sync", largest?.id ?? "");
    },
    choose: async (x, y, letters) => {
      await opens(() => xdotool("mousemove", String(x), String(y), "click", "3"));
      for (const letter of letters.slice(0, -1)) await opens(() => press(letter));
      await press(letters.at(-1) ?? "");
    },
    end: async () => {
      server.kill();
      await server.exited;
    },
  };
};
