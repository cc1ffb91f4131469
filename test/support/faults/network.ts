import { expect, onTestFinished } from "bun:test";
import { type Row, rowsOf } from "../client.ts";
import { dice, seed } from "../random.ts";
import { type ReplyFate, startProxy } from "../proxy.ts";
import { type Answer, send, startServer } from "../server.ts";
import { httpWire } from "../wire.ts";
import { underKey } from "../writes.ts";

const FATES: readonly ReplyFate[] = ["arrives", "arrives", "arrives", "cut", "late", "lost"];

/** ann's server behind a network that loses or cuts a third of the replies, until `mend` is called. */
export const startScene = async () => {
  const server = await startServer({ limits: { perMinute: 100_000, perHour: 100_000 } });
  const ann = await server.person();
  const fates = dice(seed + 1);
  let isMended = false;
  const next = (): ReplyFate => (isMended ? "arrives" : (FATES[fates(FATES.length)] ?? "arrives"));
  const proxy = await startProxy(server.url, next);
  onTestFinished(async () => {
    proxy.stop();
    await server.stop();
  });
  return {
    server,
    ann,
    key: await ann.key(),
    url: proxy.url,
    random: dice(seed),
    mend: (): void => {
      isMended = true;
    },
    /** All records, read from the server directly. */
    stored: async (): Promise<readonly Row[]> =>
      rowsOf(await httpWire(() => server.url, ann.session).pull(null, null)),
  };
};

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** A request that an agent wants done exactly once, under its own idempotency key. */
export type Wish = {
  readonly name: string;
  readonly method: "PATCH" | "POST";
  readonly path: string;
  readonly body: unknown;
};

/** Sends a wish over the network. Returns the answer; null if all or part of it was lost. */
const tryOnce = async ({ url, key }: Scene, wish: Wish): Promise<Answer | null> => {
  const headers = underKey(`"${wish.name}"`);
  const sent = { token: key, body: wish.body, headers };
  const address = `${url}/api/public/v1${wish.path}`;
  const answer = await send(wish.method, address, sent).catch(() => null);
  return answer?.json === undefined ? null : answer;
};

/** Repeats a wish until it is confirmed, sometimes twice at the same time. Returns every confirmation, and how many replies were lost. */
export const insist = async (
  scene: Scene,
  wish: Wish,
): Promise<{ readonly done: readonly [Answer, ...Answer[]]; readonly lost: number }> => {
  let lost = 0;
  for (;;) {
    const atOnce = scene.random(3) === 0 ? [wish, wish] : [wish];
    const tries = await Promise.all(atOnce.map((one) => tryOnce(scene, one)));
    const answers = tries.filter((answer) => answer !== null);
    lost += tries.length - answers.length;
    const [first, ...others] = answers.filter(({ status }) => status !== 409);
    for (const { status, json } of answers) if (status === 409) expect(json).toEqual(RUNNING);
    if (first) return { done: [first, ...others], lost };
  }
};

const RUNNING = {
  error:
    "The first request with this Idempotency-Key is still in progress. Send it again in a second.",
};
