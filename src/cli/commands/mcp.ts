import { VERSION } from "../../domain/base/release.ts";
import { secretHint, secretKind, withoutSecrets } from "../../domain/base/secret.ts";
import { isLoopback, UsageError, webAddress } from "../../domain/base/usage.ts";
import { localAddress } from "./about.ts";
import { type Send, sendTo, type Server } from "../bridge/send.ts";
import { bridge } from "../bridge/bridge.ts";
import { rpcError } from "../bridge/message.ts";
import type { Command, Run } from "../command.ts";
import { keepOffProxies } from "../../server/proxies.ts";

/** For MCP clients that start a program: it passes their messages on to the server. */
export const mcpCommand: Command = {
  name: "mcp",
  usage: "",
  about: "connect an MCP client to the server at DOCKET_URL, with the key in DOCKET_API_KEY",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    const server = findServer(run);
    if (typeof server === "string") {
      run.say(`docket: ${server}`);
      await talk(run, refuseAll(server), "");
      return 2;
    }
    const { hostname, protocol } = server.url;
    keepOffProxies(server.url);
    if (!isLoopback(hostname) && protocol === "http:")
      run.say(
        `Warning: The API key goes to ${hostname} without https, so others on the network can read it. Use https.`,
      );
    await talk(run, sendTo(server), server.key);
    return 0;
  },
};

/** Runs until the input ends or SIGTERM arrives. Never writes the key, whatever the server sends back. */
const talk = async (run: Run, send: Send, key: string): Promise<void> => {
  const hide = (line: string): string =>
    key === "" ? line : line.replaceAll(key, secretHint(key));
  const stopped = new Promise((resolve) => process.once("SIGTERM", resolve));
  const write = (line: string): Promise<void> => run.write(hide(line));
  const say = (line: string): void => run.say(hide(line));
  await Promise.race([bridge({ input: run.input(), write, say, send }), stopped]);
};

/** The server to connect to, or a sentence that says which setting to correct. */
const findServer = (run: Run): Server | string => {
  try {
    return { url: addressOf(run, "/mcp"), key: keyOf(run), agent: `docket-mcp/${VERSION}` };
  } catch (error) {
    if (error instanceof UsageError) return withoutSecrets(error.message);
    throw error;
  }
};

/** The address of a path of the server at `DOCKET_URL`. Refuses one that is none (`UsageError`). */
export const addressOf = (run: Run, path: string): URL => {
  const url = webAddress("DOCKET_URL", run.url ?? localAddress(run.config));
  if (url === null || url.href !== `${url.origin}/`)
    throw new UsageError(`DOCKET_URL must be an address without a path, such as ${url?.origin}.`);
  return new URL(path, url);
};

/** Sends nothing but a Docket API key to a server: anything else may be a secret of another service. */
export const keyOf = (run: Run): string => {
  const key = run.key();
  if (key === undefined)
    throw new UsageError(
      "DOCKET_API_KEY is not set. Create a key on the page /account/keys or with `docket key create`.",
    );
  if (secretKind(key) === "live") return key;
  throw new UsageError(
    secretKind(key) === "sess"
      ? "DOCKET_API_KEY holds a session token, not an API key. Create a key on the page /account/keys."
      : "DOCKET_API_KEY does not hold a valid API key. A key begins with docket_live_. Copy it again in full.",
  );
};

/**
 * Most clients show a person the reply to their first message, but not what a program printed before it ended.
 * So this program keeps running and answers every message with what to correct.
 */
const refuseAll =
  (sentence: string): Send =>
  async ({ id = null }) => [rpcError(id, sentence)];
