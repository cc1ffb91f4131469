import { expect, test } from "bun:test";
import { disableAccount } from "../../src/db/people/accounts.ts";
import { listSessions, revokeSession } from "../../src/db/people/sessions.ts";
import { change, newcomer, sharedServer, V1 } from "../support/replies.ts";
import type { Person } from "../support/server.ts";

const server = await sharedServer();
const MB = 1024 * 1024;

/** Text that cannot be compressed. */
const noise = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64");

/** A person with 40 MB of tasks. */
const someoneWithMuch = async (): Promise<Person> => {
  const ann = await newcomer(server);
  for (const part of [0, 1, 2, 3]) {
    const body = Array.from({ length: 15 }, (_, n) =>
      change("sync_tasks", `t${part}-${n}`, { fill: noise(0.5 * MB) }),
    );
    const pushed = await server.call("POST", "/sync", { token: ann.session, body });
    expect(pushed.json.applied).toBe(15);
  }
  return ann;
};

/** Begins a pull, does something after its first bytes, and then reads on. */
const pullWhile = async ({ session }: Person, accepts: string, act: () => Promise<unknown>) => {
  const response = await fetch(`${server.url}${V1}/sync`, {
    headers: { authorization: `Bearer ${session}`, "accept-encoding": accepts },
    decompress: false,
  });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await act();
  let after = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { after, whole: true };
      after += value.length;
    }
  } catch {
    return { after, whole: false };
  }
};

const ENDS = {
  "the session is revoked": async ({ account }: Person) => {
    const [session] = await listSessions(server.store, account.id);
    await revokeSession(server.store, account.id, session?.id ?? "", server.clock.wall());
  },
  "the account is disabled": ({ account }: Person) =>
    disableAccount(server.store, account.email, server.clock.wall()),
};

test.each(
  Object.keys(ENDS).flatMap((what) => ["identity", "zstd"].map((accepts) => [what, accepts])),
)("A pull that runs breaks off when %s (%s)", async (what, accepts) => {
  const ann = await someoneWithMuch();
  const { after, whole } = await pullWhile(ann, accepts, () =>
    ENDS[what as keyof typeof ENDS](ann),
  );
  expect(whole).toBe(false);
  // What was on its way already arrives: a few chunks, and the buffers of the connection.
  expect(after).toBeLessThan(12 * MB);
  const logged = server.logged.join("\n");
  expect(logged).toContain("a reply was cut off: its session has ended meanwhile");
  expect(logged).not.toContain('"level":"error"');
});

test("A pull whose session stays valid arrives whole", async () => {
  const ann = await someoneWithMuch();
  const { after, whole } = await pullWhile(ann, "identity", async () => {});
  expect(whole).toBe(true);
  expect(after).toBeGreaterThan(39 * MB);
});
