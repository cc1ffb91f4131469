import { expect, onTestFinished, test } from "bun:test";
import { readFileSync } from "node:fs";
import { addAccount } from "../../src/db/people/accounts.ts";
import { openStore } from "../../src/db/open.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { startHasher } from "../../src/domain/people/password.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { DOCKET } from "../support/docket.ts";
import { serve } from "../support/program.ts";
import { send, testDirectory } from "../support/server.ts";
import { PASSWORD } from "../support/web/visitor.ts";

const MEGABYTE = 1_024 * 1_024;
const PEOPLE = 100;

/** A server in its own process, behind a proxy, with a hundred people and a device. */
const crowdedServer = async () => {
  const directory = testDirectory();
  const store = await openStore({ directory, role: "visitor", now: Date.now() });
  const passwordHash = await startHasher().hash(PASSWORD);
  const made = Array.from({ length: PEOPLE }, (_, at) =>
    addAccount(store, `person.${at}@example.org`, { plan: "pro", passwordHash }, Date.now()),
  );
  const [first] = await Promise.all(made);
  const device = await createSession(store, first?.id ?? 0, "laptop", cryptoRandom, Date.now());
  await store.close();
  const words = ["--data", directory, "--log", "off", "--trusted-proxies", "127.0.0.1"];
  const server = await serve(DOCKET, words);
  onTestFinished(async () => void (await server.stop()));
  return { ...server, token: device.secret };
};

type Crowded = Awaited<ReturnType<typeof crowdedServer>>;

/** A sign-in with the right password, from an address of its own. */
const signIn = ({ url }: Crowded, person: number): Promise<Response> =>
  fetch(`${url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: url, "x-forwarded-for": `198.51.100.${person}` },
    body: new URLSearchParams({ email: `person.${person}@example.org`, password: PASSWORD }),
  });

/** The most memory that the process ever used, in bytes. */
const peak = ({ pid }: Crowded): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;

// Only Linux reports how much memory a process ever used.
test.skipIf(process.platform !== "linux")(
  "a hundred sign-ins at once each get an answer, cost little memory, and keep nobody else waiting",
  async () => {
    const server = await crowdedServer();
    expect((await signIn(server, 0)).status).toBe(303);
    const before = peak(server);
    const done = { over: false };
    const crowd = Promise.all(Array.from({ length: PEOPLE }, (_, at) => signIn(server, at)));
    void crowd.finally(() => (done.over = true));
    const meanwhile: number[] = [];
    while (!done.over) {
      meanwhile.push((await send("GET", `${server.url}/healthz`)).status);
      const api = `${server.url}/api/public/v1/me`;
      meanwhile.push((await send("GET", api, { token: server.token })).status);
    }
    const replies = await crowd;
    // Not all of them get in: the queue would take minutes.
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303, 503]));
    expect(replies.filter(({ status }) => status === 303).length).toBeGreaterThanOrEqual(22);
    for (const { status, headers } of replies)
      expect(headers.get("retry-after")).toBe(status === 503 ? "5" : null);
    // Two at a time take 19 MiB each; a hundred would take 1.9 GB.
    expect(peak(server) - before).toBeLessThan(150 * MEGABYTE);
    expect(new Set(meanwhile)).toEqual(new Set([200]));
    expect(meanwhile.length).toBeGreaterThan(10);
  },
);
