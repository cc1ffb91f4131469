import { expect, test } from "bun:test";
import { AT_NOON, change, newcomer, sharedServer } from "../support/replies.ts";
import { computed } from "../support/processor.ts";

const server = await sharedServer();

test.each([
  [
    "long notes",
    (title: string, n: number) => ({
      title,
      notes: [{ id: `n${n}`, text: `${title} ${"\u6771\u4eac ".repeat(12_000)}` }],
    }),
    // A push that is done at once holds up one of the calls for nearly half of what it takes.
    1 / 3,
  ],
  [
    "many tabs",
    (title: string, n: number) => ({
      title,
      pages: Array.from({ length: 500 }, (_, at) => ({ url: `https://${n}.example/${at}` })),
    }),
    // So much JSON is parsed at once, which takes as long as anything else.
    2 / 3,
  ],
])(
  "While a push of %s is stored, other calls are answered, and all of it is stored",
  async (_name, payload, most) => {
    const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
    const push = async (title: string, at: string): Promise<readonly number[]> => {
      const body = Array.from({ length: 180 }, (_, n) =>
        change("sync_tasks", `t${n}`, payload(title, n), { updated_at: at }),
      );
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
    const took = waits.reduce((sum, one) => sum + one, 0);
    expect(Math.max(...waits)).toBeLessThan(took * most);
    const { json } = await server.call("GET", "/sync", { token: ann.session });
    const stored = json.changes.sync_tasks as readonly { payload: { title: string } }[];
    expect(stored.map((task) => task.payload.title)).toEqual(
      Array.from({ length: 180 }, () => "after"),
    );
  },
);
