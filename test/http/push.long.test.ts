import { expect, test } from "bun:test";
import { AT_NOON, change, newcomer, sharedServer } from "../support/replies.ts";
import { computed } from "../support/processor.ts";

const server = await sharedServer();

test("While a push of long notes is stored, other calls are answered, and all of it is stored", async () => {
  const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
  const push = async (title: string, at: string): Promise<readonly number[]> => {
    const text = `${title} ${"\u6771\u4eac ".repeat(12_000)}`;
    const body = Array.from({ length: 180 }, (_, n) => {
      const payload = { title, notes: [{ id: `n${n}`, text }] };
      return change("sync_tasks", `t${n}`, payload, { updated_at: at });
    });
    const state = { answered: false };
    const pushed = server.call("POST", "/sync", { token: ann.session, body }).finally(() => {
      state.answered = true;
    });
    const waits: number[] = [];
    while (!state.answered) {
      const asked = computed();
      expect((await server.call("GET", "/tasks", { token: bob.session })).status).toBe(200);
      waits.push(computed() - asked);
    }
    expect((await pushed).json).toMatchObject({ applied: 180, rejected: [], invalid: [] });
    return waits;
  };
  // Much of what the first push takes is spent on compiling the code that stores it.
  await push("before", "2026-03-04T11:59:00.000Z");
  const waits = await push("after", AT_NOON);
  // A push that is done at once holds up one of the calls for nearly half of what it takes.
  const took = waits.reduce((sum, one) => sum + one, 0);
  expect(Math.max(...waits)).toBeLessThan(took / 3);
  const { json } = await server.call("GET", "/sync", { token: ann.session });
  const stored = json.changes.sync_tasks as readonly { payload: { title: string } }[];
  expect(stored.map(({ payload }) => payload.title)).toEqual(
    Array.from({ length: 180 }, () => "after"),
  );
});
