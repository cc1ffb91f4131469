import { expect, test } from "bun:test";
import { createSession } from "../../src/db/people/sessions.ts";
import { SECOND } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { keyOf, type Row, valuesIn } from "../support/client.ts";
import { type Habits, newDevice, pull, push } from "../support/device.ts";
import { edit } from "../support/edits.ts";
import { type EditAct, seed, times } from "../support/histories.ts";
import { httpWire } from "../support/wire.ts";
import { shown } from "../support/writes.ts";
import { insist, type Scene, startScene, type Wish } from "./_network.ts";

/** Every way in which a key can write. What each one files contains the name of the wish. */
const wishesOf = (name: string, task: string): readonly Wish[] => {
  const [tabs, toTask] = [[{ url: `https://example.org/${name}` }], `/tasks/${task}`];
  return [
    { name, method: "POST", path: `${toTask}/tabs`, body: tabs },
    { name, method: "POST", path: `${toTask}/notes`, body: { text: name } },
    { name, method: "POST", path: "/inbox/tabs", body: tabs },
    { name, method: "POST", path: "/tasks", body: { title: "new", tabs } },
    { name, method: "POST", path: "/projects", body: { name } },
    { name, method: "PATCH", path: toTask, body: { title: name } },
  ];
};

const newTask = async ({ server, key: token }: Scene): Promise<string> => {
  const { json } = await server.call("POST", "/tasks", { token, body: { title: "trip" } });
  return json.id as string;
};

/** All texts in the records: URLs, notes, titles and folder names. */
const namesIn = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap((row) => [...valuesIn(row), ...[row.payload["name"] ?? []].flat().map(String)]);

test(
  "an agent whose replies are lost repeats its requests, and each one is done exactly once",
  async () => {
    const scene = await startScene();
    const { random, stored } = scene;
    const task = await newTask(scene);
    const wishes = Array.from({ length: times(100) }, (_, at) => {
      const kinds = wishesOf(`wish-${at}.`, task);
      return kinds[random(kinds.length)] ?? [];
    }).flat();
    const answers = new Map<Wish, ReturnType<typeof shown>>();
    let lost = 0;
    for (const wish of wishes) {
      scene.server.clock.advance(random(2_000));
      const { done, ...more } = await insist(scene, wish);
      const first = shown(done[0]);
      for (const other of done) expect([seed, shown(other)]).toEqual([seed, first]);
      expect(first.status).toBeOneOf([200, 201]);
      answers.set(wish, first);
      lost += more.lost;
    }
    expect(lost).toBeGreaterThan(20);
    const rows = await stored();
    const filed = wishes.filter(({ method }) => method === "POST").map(({ name }) => name);
    const named = namesIn(rows).map((name) => name.replace("https://example.org/", ""));
    expect({ seed, named: named.toSorted() }).toEqual({ seed, named: filed.toSorted() });
    // A repeated request gets its first reply and changes nothing, however late it comes.
    scene.mend();
    for (const wish of wishes) {
      const { done } = await insist(scene, wish);
      for (const again of done)
        expect<unknown>([seed, shown(again)]).toEqual([seed, answers.get(wish)]);
    }
    expect(await stored()).toEqual(rows);
  },
  60_000 * times(1),
);

const ACTS: readonly EditAct[] = [
  "add note",
  "add tab",
  "set field",
  "set field of the extension's",
];

/**
 * The device uses `server_time`, keeps ids, and pulls only once its push is confirmed. Otherwise it would keep its
 * own newer copy of a task, and the server would take anything new in that task for removed by the person.
 */
const habits = (namesSince: boolean): Habits => ({
  skew: 0,
  cursor: "server_time",
  pushesFirst: true,
  namesSince,
  acknowledges: true,
  keepsIds: true,
  namesBases: false,
});

/** Signs in a device of ann's that uses the unreliable network. Counts the failed tries. */
const signIn = async ({ server, ann, url }: Scene, name: string, namesSince: boolean) => {
  const now = server.clock.wall();
  const { secret } = await createSession(server.store, ann.account.id, name, cryptoRandom, now);
  const device = newDevice(habits(namesSince), server.clock.wall);
  const wire = httpWire(() => url, secret);
  const failed = { tries: 0 };
  const attempt = async (work: typeof pull | typeof push): Promise<void> => {
    try {
      await work(device, wire);
    } catch (error) {
      // The server refused the request: the network is not to blame.
      if (/^(GET|POST) \/sync/.test(String(error))) throw error;
      failed.tries += 1;
    }
  };
  const pullWhenPushed = async (): Promise<void> => {
    await attempt(push);
    if (device.drafts.size === 0) await attempt(pull);
  };
  return { device, failed, pull: pullWhenPushed, push: () => attempt(push) };
};

type SignedIn = Awaited<ReturnType<typeof signIn>>;

const editOne = ({ device }: SignedIn, { random }: Scene, text: string): void => {
  const act = ACTS[random(ACTS.length)] ?? "add tab";
  const what = { table: "sync_tasks", field: "title", value: random(3) } as const;
  edit(device, { do: "edit", device: 0, act, ...what, pick: random(4) }, text);
};

const sorted = (rows: Iterable<Row>): readonly Row[] =>
  [...rows].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

test(
  "devices whose replies are lost try again, and end with what the server holds, with nothing twice",
  async () => {
    const scene = await startScene();
    const { random, server, stored } = scene;
    const task = await newTask(scene);
    const devices = [await signIn(scene, "laptop", true), await signIn(scene, "phone", false)];
    const filed: string[] = [];
    for (let step = 0; step < times(600); step += 1) {
      server.clock.advance(1 + random(2_000));
      const [wish] = wishesOf(`wish-${step}.`, task).slice(random(4));
      const filing = async (): Promise<void> => {
        if (!wish) return;
        await insist(scene, wish);
        filed.push(wish.name);
      };
      const one = devices[random(2)] as SignedIn;
      const edits = async (): Promise<void> => editOne(one, scene, `edit-${step}`);
      const acts = [edits, edits, one.pull, one.push, one.push, filing];
      await acts[random(acts.length)]?.();
    }
    for (const { failed } of devices) expect(failed.tries).toBeGreaterThan(20);
    scene.mend();
    for (const act of ["pull", "push", "pull"] as const) {
      server.clock.advance(SECOND);
      for (const one of devices) await one[act]();
    }
    const rows = sorted(await stored());
    for (const { device } of devices)
      expect({ seed, rows: sorted(device.records.values()) }).toEqual({ seed, rows });
    const named = namesIn(rows).map((name) => name.replace("https://example.org/", ""));
    const twice = named.filter((name, at) => named.indexOf(name) !== at);
    const gone = filed.filter((name) => !named.includes(name));
    expect({ twice, gone, seed }).toEqual({ twice: [], gone: [], seed });
  },
  60_000 * times(1),
);
