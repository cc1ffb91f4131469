import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dice, seed, times } from "../support/random.ts";
import {
  type Credentials,
  makeCredentials,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { type Answer, send, testDirectory } from "../support/server.ts";
import { isReplayed, shown, underKey } from "../support/writes.ts";

/** A request with an idempotency key, and the text it files. */
type Wish = {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly byKey: boolean;
};

/** Wishes whose texts are unique, so that each can be found wherever it is filed. */
const wishesOf = (round: number, taskId: string): readonly Wish[] =>
  Array.from({ length: 60 }, (_, at) => {
    const key = `wish-${round}-${at}.`;
    const tabs = [{ url: `https://example.org/${key}` }];
    const kinds = [
      ["/tasks", { title: key }],
      ["/projects", { name: key }],
      [`/tasks/${taskId}/tabs`, tabs],
      [`/tasks/${taskId}/notes`, { text: key }],
      ["/inbox/tabs", tabs],
    ] as const;
    const [path, body] = kinds[at % kinds.length] ?? kinds[0];
    return { key, method: "POST", path, body, byKey: at % 2 === 0 };
  });

describe("an agent that repeats unanswered requests to a server that is killed", () => {
  const directory = testDirectory();
  const random = dice(seed);
  let ann: Credentials;
  let server: ServerProcess;

  beforeAll(async () => {
    ann = await makeCredentials(directory);
    server = await startServerProcess(directory);
  });
  afterAll(() => server.stop("SIGKILL"));

  const ask = (method: string, path: string, token: string, body?: unknown, headers = {}) =>
    send(method, `${server.url()}/api/public/v1${path}`, { token, body, headers });

  /** The answer; null if the server was killed first. */
  const done = ({ key, method, path, body, byKey }: Wish): Promise<Answer | null> =>
    ask(method, path, byKey ? ann.key : ann.session, body, underKey(key)).catch(() => null);

  /** How often each wish was done, as a device sees it in a pull. */
  const timesDone = async (wishes: readonly Wish[]): Promise<readonly number[]> => {
    const { json } = await ask("GET", "/sync", ann.session);
    const texts: string[] = [];
    JSON.stringify(json.changes, (name, value: unknown) => {
      // A tab's title repeats its URL.
      if (typeof value === "string" && (name !== "title" || !value.startsWith("http")))
        texts.push(value);
      return value;
    });
    return wishes.map(({ key }) => texts.filter((text) => text.endsWith(key)).length);
  };

  /** Sends eight at a time until a random number is answered, then kills the server while others are in progress. */
  const sendUntilKilled = async (wishes: readonly Wish[]): Promise<readonly (Answer | null)[]> => {
    const answers: (Answer | null)[] = wishes.map(() => null);
    const waiting = [...wishes.entries()];
    const enough = 1 + random(wishes.length - 8);
    const sender = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        answers[next[0]] = await done(next[1]);
        if (answers.filter(Boolean).length >= enough) return;
      }
    };
    const senders = Array.from({ length: 8 }, sender);
    await Promise.race(senders);
    await server.stop("SIGKILL");
    await Promise.all(senders);
    return answers;
  };

  test(
    "has each request done once, and always gets its first reply",
    async () => {
      for (let round = 0; round < times(4); round += 1) {
        const { json } = await ask("POST", "/tasks", ann.session, { title: `round ${round}` });
        const wishes = wishesOf(round, json.id as string);
        const first = await sendUntilKilled(wishes);
        await server.start();
        const second = await Promise.all(wishes.map(done));
        const third = await Promise.all(wishes.map(done));
        for (const [at, answer] of second.entries()) {
          expect(answer?.status).toBe(201);
          const before = first[at];
          if (answer && before)
            expect([isReplayed(answer), shown(answer)]).toEqual([true, shown(before)]);
          const after = third[at];
          if (answer && after)
            expect([isReplayed(after), shown(after)]).toEqual([true, shown(answer)]);
        }
        expect(await timesDone(wishes)).toEqual(wishes.map(() => 1));
      }
    },
    300_000 * times(1),
  );
});
