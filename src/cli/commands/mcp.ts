import { VERSION } from "../../domain/base/release.ts";
import { secretHint, secretKind, withoutSecrets } from "../../domain/base/secret.ts";
import { isLoopback, UsageError, webAddress } from "../../domain/base/usage.ts";
import { localAddress } from "./about.ts";
import { type Ask, askAt, type Server } from "../bridge/ask.ts";
import { bridge } from "../bridge/bridge.ts";
import { rpcError } from "../bridge/message.ts";
import type { Command, Run } from "../command.ts";
import { keepOffProxies } from "../proxies.ts";

/** For clients of MCP that start a program: it asks the server in their place. */
export const mcpCommand: Command = {
  name: "mcp",
  usage: "",
  about: "speak MCP on standard input and output, with the key in DOCKET_API_KEY, to DOCKET_URL",
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
      run.say(`Warning: the key goes to ${hostname} without https, and can be read on the way.`);
    await talk(run, askAt(server), server.key);
    return 0;
  },
};

/** Until the input ends, or the process is asked to. Whatever comes from outside, the key is not written. */
const talk = async (run: Run, ask: Ask, key: string): Promise<void> => {
  const hide = (line: string): string =>
    key === "" ? line : line.replaceAll(key, secretHint(key));
  const stopped = new Promise((resolve) => process.once("SIGTERM", resolve));
  const write = (line: string): Promise<void> => run.write(hide(line));
  const say = (line: string): void => run.say(hide(line));
  await Promise.race([bridge({ input: run.input(), write, say, ask }), stopped]);
};

/** The server to ask, or a sentence that says what is missing. */
const findServer = (run: Run): Server | string => {
  try {
    return { url: addressOf(run), key: keyOf(run), agent: `docket-mcp/${VERSION}` };
  } catch (error) {
    if (error instanceof UsageError) return withoutSecrets(error.message);
    throw error;
  }
};

const addressOf = (run: Run): URL => {
  const url = webAddress("DOCKET_URL", run.url ?? localAddress(run.config));
  if (url === null || url.href !== `${url.origin}/`)
    throw new UsageError(`DOCKET_URL must be an address without a path, as ${url?.origin}.`);
  return new URL("/mcp", url);
};

/** What is no key of this program's is shown to no server: it may be another one's secret. */
const keyOf = (run: Run): string => {
  const key = run.key();
  if (key === undefined)
    throw new UsageError(
      "DOCKET_API_KEY is not set: make a key on the page /account/keys, or with `docket key create`.",
    );
  if (secretKind(key) === "live") return key;
  throw new UsageError(
    secretKind(key) === "sess"
      ? "DOCKET_API_KEY is a session's token: make an API key on the page /account/keys."
      : "DOCKET_API_KEY is not an API key, or it is mistyped: one begins with docket_live_.",
  );
};

/**
 * Most clients show a person the reply to their first message, and not what a program that ended has said:
 * so it stays, and says to each message what is missing.
 */
const refuseAll =
  (sentence: string): Ask =>
  async ({ id = null }) => [rpcError(id, sentence)];
