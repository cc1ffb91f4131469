import { expect, test } from "bun:test";
import { change, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();

/** What this process has computed until now, in µs. Unlike the time, it does not go on while others have the processor. */
const computed = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

test.each([
  ["long notes", (at: number) => ({ title: `t${at}`, notes: ["\u6771\u4eac ".repeat(12_000)] })],
  [
    "many tabs",
    (at: number) => ({
      title: `t${at}`,
      pages: Array.from({ length: 500 }, (_, n) => ({ url: `https://${at}.example/${n}` })),
    }),
  ],
])(
  "While a push of %s is stored, other calls are answered, and all of it is stored",
  async (_name, payload) => {
    const [ann, bob] = [await newcomer(server), await newcomer(server, "bob")];
    const body = Array.from({ length: 180 }, (_, at) =>
      change("sync_tasks", `t${at}`, payload(at)),
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
    // A push that is done at once holds up one of them for as long as it takes.
    const took = waits.reduce((sum, one) => sum + one, 0);
    expect(Math.max(...waits)).toBeLessThan((took * 2) / 3);
    const { json } = await server.call("GET", "/sync", { token: ann.session });
    expect(json.changes.sync_tasks).toHaveLength(180);
  },
);
