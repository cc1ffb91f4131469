import { afterAll, beforeAll } from "bun:test";
import { buildBinary, type Running, run, serve } from "../program.ts";
import { send, testDirectory } from "../server.ts";
import type { Chrome } from "./chrome.ts";

export const PASSWORD = "correct horse battery";

/** Ann's server, and web pages that she can have open. */
export type Home = {
  readonly url: string;
  /** Serves pages whose title is their path. */
  readonly web: URL;
  /** Runs a command on her data, with this on its standard input. Returns what it prints. */
  readonly docket: (words: readonly string[], input?: string) => Promise<string>;
  /** Returns the reply to a call with her own session. Replies have many shapes. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly api: (method: string, path: string, body?: unknown) => Promise<any>;
  /** The same with an agent's key. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly agent: (method: string, path: string, body?: unknown) => Promise<any>;
  /** Returns the ids of the sessions that browsers have, of those that `signIn` made. */
  readonly sessions: () => Promise<readonly string[]>;
  /** Signs a browser in without its options page, which has a test of its own. `server` may be a way to hers. */
  readonly signIn: (chrome: Pick<Chrome, "inWorker">, server?: string) => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly startAgain: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Starts everything. `data` is an empty directory, `options` are more options of `docket serve`. */
export const startHome = async (data: string, options: readonly string[] = []): Promise<Home> => {
  const binary = await buildBinary();
  const docket = async (words: readonly string[], input = ""): Promise<string> => {
    const { code, out, err } = await run(binary, [...words, "--data", data], { input });
    if (code !== 0) throw new Error(`docket ${words.join(" ")}: ${err}`);
    return out.trim();
  };
  await docket(["account", "add", "ann@example.org", "--password-stdin"], PASSWORD);
  const start = (port: string): Promise<Running> =>
    serve(binary, ["--data", data, "--log", "off", "--port", port, ...options]);
  let server = await start("0");
  const { url } = server;
  const token = await docket(["session", "create", "--name", "test"]);
  const callsOf =
    (credential: string): Home["api"] =>
    async (method, path, body) =>
      (await send(method, `${url}/api/public/v1${path}`, { token: credential, body })).json;
  const api = callsOf(token);
  let key = "";
  const web = startWeb();
  return {
    url,
    web: web.url,
    docket,
    api,
    agent: async (method, path, body) => {
      key ||= await docket(["key", "create", "--name", "helper", "--scopes", "read,write"]);
      return callsOf(key)(method, path, body);
    },
    sessions: async () => {
      const all = JSON.parse(await docket(["session", "list", "--json"])) as readonly Session[];
      return all.flatMap(({ id, name, state }) =>
        name === "extension" && state === "live" ? [id] : [],
      );
    },
    signIn: async (chrome, at = url) => {
      const { id, email } = await api("GET", "/me");
      const session = await docket(["session", "create", "--name", "extension"]);
      const connection = { server: at, account: { id, email }, token: session };
      await chrome.inWorker(`chrome.storage.local.set(${JSON.stringify({ connection })})`);
    },
    kill: async () => {
      await server.stop("SIGKILL");
    },
    startAgain: async () => {
      server = await start(new URL(url).port);
    },
    end: async () => {
      await web.stop(true);
      await server.stop("SIGKILL");
    },
  };
};

/** The same for the tests of one `describe`: there when the first of them begins, and gone after the last. */
export const useHome = (options: readonly string[] = []): Home => {
  const home: Partial<Home> = {};
  const data = testDirectory();
  beforeAll(async () => void Object.assign(home, await startHome(data, options)));
  afterAll(async () => await home.end?.());
  return home as Home;
};

type Session = { readonly id: string; readonly name: string; readonly state: string };

/** A record as another device pushes it now. */
export const record = (table: string, id: string, payload: object) => ({
  table,
  id,
  updated_at: new Date().toISOString(),
  deleted_at: null,
  payload,
});

/** Serves pages whose title is their path. */
export const startWeb = () =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const title = decodeURIComponent(new URL(url).pathname.slice(1));
      return new Response(`<!doctype html><meta charset="utf-8"><title>${title}</title>`, {
        headers: { "content-type": "text/html" },
      });
    },
  });

/** Asks again and again until `see` returns what is wanted. Fails after 20 seconds with what it returned last. */
export const until = async <T>(
  see: () => Promise<T>,
  isWanted: (seen: T) => boolean,
): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    const seen = await see();
    if (isWanted(seen)) return seen;
    if (tries >= 200) throw new Error(`Not seen: ${isWanted}. Last: ${JSON.stringify(seen)}`);
    await Bun.sleep(100);
  }
};
