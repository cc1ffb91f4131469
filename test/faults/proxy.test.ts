import { expect, test } from "bun:test";
import { type Row, valuesIn } from "../support/client.ts";
import { seed, times } from "../support/random.ts";
import { shown } from "../support/writes.ts";
import { insist, type Scene, startScene, type Wish } from "../support/faults/network.ts";

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
    const wishes = Array.from({ length: times(50) }, (_, at) => {
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
  300_000 * times(1),
);
