import type { History } from "./history.ts";
import type { Step } from "./steps.ts";

/** Whether a history still goes wrong in the same way. */
type Fails = (history: History) => Promise<boolean>;

/** The shortest history one can easily get that still fails: steps go, clocks are put right, pauses get short. */
export const shrink = async (history: History, fails: Fails): Promise<History> => {
  let best = history;
  const tryOut = async (next: History): Promise<boolean> => {
    if (!(await fails(next))) return false;
    best = next;
    return true;
  };
  for (let before = -1; before !== best.steps.length;) {
    before = best.steps.length;
    for (let size = Math.ceil(before / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = best.steps.length - size; at > -size; at -= size) {
        const steps = best.steps.toSpliced(Math.max(0, at), size + Math.min(0, at));
        await tryOut({ ...best, steps });
      }
    if (before > 30) continue;
    for (const name of best.devices.keys()) await calm(best, name, tryOut);
    for (const index of best.steps.keys()) await plainer(() => best, index, tryOut);
  }
  return best;
};

type TryOut = (next: History) => Promise<boolean>;

/** Takes the device out, or puts its clock right. */
const calm = async (history: History, name: string, tryOut: TryOut): Promise<void> => {
  const others = new Map(history.devices);
  others.delete(name);
  const isIdle = !history.steps.some(({ who }) => who === name);
  if (isIdle && others.size > 0 && (await tryOut({ ...history, devices: others }))) return;
  const habits = history.devices.get(name);
  if (!habits || habits.skew === 0) return;
  await tryOut({ ...history, devices: new Map(history.devices).set(name, { ...habits, skew: 0 }) });
};

/** A plainer step in its place: soon after the one before, and with nothing lost or meanwhile. */
const plainer = async (best: () => History, index: number, tryOut: TryOut): Promise<void> => {
  const replace = async (change: Partial<Step>): Promise<void> => {
    const history = best();
    const step = history.steps[index];
    if (!step || Bun.deepEquals({ ...step, ...change }, step)) return;
    await tryOut({ ...history, steps: history.steps.with(index, { ...step, ...change }) });
  };
  await replace({ after: 1_000 });
  const act = best().steps[index]?.act ?? "";
  if (act.startsWith("push,")) await replace({ act: "push" });
  if (act.startsWith("pull,")) await replace({ act: "sync" });
};
