import { idOf } from "./_bodies.ts";
import type { Genes } from "./_genes.ts";
import { textsOf } from "./_texts.ts";

// What ann has when the search for the worst call begins: 500 large tasks, 50 with long pasts, and 100,000 small ones,
// all in the bucket b0 and the folder f0.

const FIRST = Date.parse("2026-01-01T00:00:00.000Z");
const IN = { bucket_id: "b0", project_id: "f0", tags: ["tag"] };

const record = (id: string, payload: object, at = FIRST) => ({
  table: "sync_tasks",
  id,
  updated_at: new Date(at).toISOString(),
  payload: { ...IN, title: `common ${id}`, ...payload },
});
const named = (ids: Genes["ids"], at: number): string =>
  idOf({ ids, table: "sync_tasks", seed: 0 } as Genes, at);

/** The pushes that make it, one after the other. */
export function* pushesOfWorld(): Generator<readonly object[]> {
  const [han, words] = [textsOf("han", 1), textsOf("words", 2)];
  const pages = (of: number) =>
    Array.from({ length: 200 }, (_, at) => ({
      url: `https://site${of}.example/${at}`,
      title: words(30),
    }));
  yield [
    { ...record("f0", { name: "Folder" }), table: "sync_projects" },
    { ...record("b0", { name: "Bucket" }), table: "sync_buckets" },
  ];
  for (let version = 0; version < 30; version += 1)
    yield Array.from({ length: 50 }, (_, at) =>
      record(
        named("long past", at),
        { notes: [words(20_000)], pages: pages(at) },
        FIRST + version * 60_000,
      ),
    );
  yield Array.from({ length: 500 }, (_, at) =>
    record(named("large", at), {
      notes: [han(5_000), han(5_000), words(20_000)],
      pages: pages(at),
    }),
  );
  for (let part = 0; part < 200; part += 1)
    yield Array.from({ length: 500 }, (_, at) =>
      record(`small${part} ${at}`, { notes: [words(60)], due: "2026-03-04" }),
    );
}

/** The tasks with long pasts, into which a key files a tab each: a push must look at what was done since. */
export const FILED_INTO: readonly string[] = Array.from({ length: 50 }, (_, at) =>
  named("long past", at),
);
