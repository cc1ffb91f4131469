import { expect, onTestFinished } from "bun:test";
import { type Row, rowsOf } from "../support/client.ts";
import { seed } from "../support/histories.ts";
import { type ReplyFate, startProxy } from "../support/proxy.ts";
import { dice } from "../support/random.ts";
import { type Answer, send, startServer } from "../support/server.ts";
import { httpWire } from "../support/wire.ts";
import { underKey } from "../support/writes.ts";

const FATES: readonly ReplyFate[] = ["arrives", "arrives", "arrives", "cut", "late", "lost"];

/** ann's server, and a network before it that loses a third of the replies until it is mended. */
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
    /** All records, asked for past the network. */
    stored: async (): Promise<readonly Row[]> =>
      rowsOf(await httpWire(() => server.url, ann.session).pull(null, null)),
  };
};

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** What an agent wants done, once, under a key of its own. */
export type Wish = {
  readonly name: string;
  readonly method: "PATCH" | "POST";
  readonly path: string;
  readonly body: unknown;
};

/** Asks over the network. Returns the answer, null where it was lost or a part of it. */
const tryOnce = async ({ url, key }: Scene, wish: Wish): Promise<Answer | null> => {
  const headers = underKey(`"${wish.name}"`);
  const sent = { token: key, body: wish.body, headers };
  const address = `${url}/api/public/v1${wish.path}`;
  const answer = await send(wish.method, address, sent).catch(() => null);
  return answer?.json === undefined ? null : answer;
};

/** Asks until it is done, now and then twice at once. Returns every answer that says so, and how many were lost. */
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
    "The first request with this Idempotency-Key is still being done: send it again in a second.",
};
