import type { Screen } from "./shown.ts";
import { sketchTexts } from "./sketch.ts";
import { type Database, readMeta } from "./store/database.ts";
import { saveSketch } from "./store/sketch-file.ts";

/** Saves a sketch of what is shown when nothing has changed for a moment. */
export type Sketcher = {
  readonly changed: () => void;
  readonly stop: () => void;
};

/** The records of fewer tasks are read as fast as a sketch. */
const FEWEST = 300;

/** Milliseconds. */
const PAUSE = 1_000;

export const newSketcher = (
  run: <T>(job: (db: Database) => Promise<T>) => Promise<T>,
  screen: () => Screen,
): Sketcher => {
  let changes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = async (): Promise<void> => {
    const asked = changes;
    if (screen().tasks.size + screen().deletedTasks.size < FEWEST) return;
    const { rowsAt } = await run(readMeta);
    const texts: string[] = [];
    for (const text of sketchTexts(screen())) {
      texts.push(text);
      await new Promise((resolve) => setTimeout(resolve));
      if (changes !== asked) return;
    }
    await run((db) => saveSketch(db, rowsAt, texts));
  };
  const stop = (): void => {
    changes += 1;
    clearTimeout(timer);
  };
  return {
    changed: () => {
      stop();
      // Without a sketch, the next start takes longer, and that is all.
      timer = setTimeout(() => void draw().catch(() => {}), PAUSE);
    },
    stop,
  };
};
