import { expect, test } from "bun:test";
import { dice } from "../support/random.ts";
import { anyGenes, CALL_NAMES, mutate } from "./_genes.ts";
import { LEGAL } from "./_legal-calls.ts";

const MIB = 1024 * 1024;

test("The search for the worst call makes each call as large as is allowed, and the same from a seed", () => {
  for (const call of CALL_NAMES) {
    const make = () => {
      const roll = dice(7);
      const genes = mutate(roll, anyGenes(roll));
      return LEGAL[call]({ ...genes, call, size: 1, count: 0.02 });
    };
    const { path, body } = make();
    expect(path).toBe(make().path);
    const most = path.endsWith("/sync") ? 16 * MIB : MIB;
    expect(Buffer.byteLength(body ?? "")).toBeLessThanOrEqual(most);
  }
});
