import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, serve } from "../support/program.ts";
import { type Call, type Sender, type Sent, startSender } from "./sending.ts";
import { type Case, push } from "./waiting-cases.ts";

// How long others wait while one call is answered.

/** In ms: how long the call itself took, and the longest that anyone else waited. */
export type Waited = {
  readonly took: number;
  readonly status: number;
  readonly health: number;
  readonly list: number;
  readonly probes: number;
};

/** In ms. */
const EVERY = 5;
const MOMENT = 100;
/** Flags of a server whose keys have no limits that matter. */
const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

/** Measures a case so often, on as few servers as it allows. */
export const measureWaits = async (
  program: readonly string[],
  { before, call, again }: Case,
  rounds: number,
): Promise<readonly Waited[]> => {
  const found: Waited[] = [];
  while (found.length < rounds)
    await atServer(program, async ({ url, session, bob, sender }) => {
      const send = (one: Call) => sender.send(url, session, one);
      for (const body of before) await send(push(body));
      // An index that is not there yet is made first: that is not what is measured here.
      if (call.body === null && again(1) !== null) while ((await send(call)).status === 503);
      let next: Call | null = call;
      for (let round = 1; next && found.length < rounds; round += 1) {
        found.push(await waitsDuring(url, bob, sender.ready(url, session, next)));
        next = again(round);
      }
    });
  return found;
};

type Place = {
  readonly url: string;
  readonly session: string;
  readonly bob: string;
  readonly sender: Sender;
};

/** Works with a new server of that program, which has two accounts. */
const atServer = async (
  program: readonly string[],
  work: (place: Place) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "docket-waits-"));
  const directory = join(folder, "data");
  const server = await serve(program, ["--data", directory, "--log", "off", ...UNLIMITED]);
  const sender = startSender(folder);
  try {
    const session = await makeSessionOf(program, directory, "ann@example.org");
    const bob = await makeSessionOf(program, directory, "bob@example.org");
    await work({ url: server.url, session, bob, sender });
  } finally {
    await sender.stop();
    await server.stop("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Probes a server with another account's token while a call to it is answered, and for a moment before and after. */
const waitsDuring = async (
  url: string,
  token: string,
  call: () => Promise<Sent>,
): Promise<Waited> => {
  const probe = startProbe(url, token);
  await Bun.sleep(MOMENT);
  const { status, took } = await call();
  await Bun.sleep(MOMENT);
  return { status, took, ...(await probe.end()) };
};

/** Adds an account with the program itself, because an older one cannot use data that a newer one has migrated. */
const makeSessionOf = async (
  program: readonly string[],
  directory: string,
  email: string,
): Promise<string> => {
  await run(program, ["account", "add", email, "--data", directory]);
  const words = ["session", "create", "--account", email, "--name", "laptop"];
  return (await run(program, [...words, "--data", directory])).out.trim();
};

/** Asks for `/healthz` and for another account's tasks every 5 ms, whether or not the earlier ones are answered. */
const startProbe = (url: string, token: string) => {
  const longest = { health: 0, list: 0, probes: 0 };
  const open = new Set<Promise<void>>();
  const ask = (what: "health" | "list", path: string): void => {
    const start = performance.now();
    const asked: Promise<void> = fetch(url + path, {
      headers: { authorization: `Bearer ${token}` },
    })
      .then((reply) => reply.arrayBuffer())
      .then(() => {
        longest[what] = Math.max(longest[what], performance.now() - start);
        longest.probes += 1;
        open.delete(asked);
      });
    open.add(asked);
  };
  const timer = setInterval(() => {
    // A server that answers nothing gets no more questions than it can have open.
    if (open.size > 200) return;
    ask("health", "/healthz");
    ask("list", "/api/public/v1/tasks");
  }, EVERY);
  return {
    end: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return longest;
    },
  };
};
