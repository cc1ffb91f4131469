import { afterAll } from "bun:test";
import { buildBinary, run, type Running, serve } from "../program.ts";
import { V1 } from "../replies.ts";
import { type Answer, type CallOptions, send, testDirectory } from "../server.ts";

/** Data with ann's account, and the executable's command line over them. */
export const annsData = async () => {
  const binary = await buildBinary();
  const data = testDirectory();
  const docket = (...words: readonly string[]) => run(binary, ["--data", data, ...words]);
  await docket("account", "add", "ann@example.org");
  return { binary, data, docket };
};

/** Waits until the server's log contains a text, and returns the whole log. */
export const loggedUntil = async (server: Running, text: string): Promise<string> => {
  const logged = (): string => server.printed() + server.said();
  while (!logged().includes(text)) await Bun.sleep(5);
  return logged();
};

/** The executable as a server of ann's data, with one of her session tokens, until the tests of the file are done. */
export const annsServer = async (...settings: readonly string[]) => {
  const { binary, data, docket } = await annsData();
  const session = (await docket("session", "create")).out.trim();
  const words = ["--data", data, "--log", "json", ...settings];
  const server = await serve(binary, words);
  afterAll(() => server.stop());
  return {
    binary,
    data,
    docket,
    server,
    session,
    url: server.url,
    /** Makes a key with these scopes. */
    key: async (scopes: string): Promise<string> =>
      (await docket("key", "create", "--name", "bot", "--scopes", scopes)).out.trim(),
    /** Calls `path` below the API's base address. */
    call: (method: string, path: string, options?: CallOptions): Promise<Answer> =>
      send(method, server.url + V1 + path, options),
  };
};
