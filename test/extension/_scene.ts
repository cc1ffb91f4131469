import { buildBinary, type Running, run, serve } from "../support/program.ts";
import { send } from "../support/server.ts";
import { buildExtension, type Device, startDevice } from "./_device.ts";

export const PASSWORD = "correct horse battery";

/** Ann's server, an agent with an API key, her devices, and web pages that she can have open. */
export type Scene = {
  readonly url: string;
  readonly web: URL;
  /** Runs a command on her data. Returns what it prints. */
  readonly docket: (words: readonly string[], input?: string) => Promise<string>;
  /** Returns the reply to a call of the agent. Replies have many shapes. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly agent: (method: string, path: string, body?: unknown) => Promise<any>;
  readonly newDevice: (profile: string) => Promise<Device>;
  /** Kills the server. Asked to stop, it would wait for connections that browsers keep open. */
  readonly killServer: () => Promise<void>;
  /** Starts the server again at the same address. */
  readonly startServer: () => Promise<void>;
  /** What her devices did although they must not. */
  readonly faults: () => readonly string[];
  readonly end: () => Promise<void>;
};

/** Sets everything up. `data` and `extension` are empty directories. */
export const setScene = async (data: string, extension: string): Promise<Scene> => {
  const binary = await buildBinary();
  await buildExtension(extension);
  const docket = commandsOn(binary, data);
  const start = (port: string): Promise<Running> =>
    serve(binary, ["--data", data, "--log", "off", "--port", port]);

  await docket(["account", "add", "ann@example.org", "--password-stdin"], PASSWORD);
  const key = await docket(["key", "create", "--name", "helper", "--scopes", "read,write"]);
  let server = await start("0");
  const { url } = server;
  const web = startWeb();
  const devices: Device[] = [];
  return {
    url,
    web: web.url,
    docket,
    agent: async (method, path, body) =>
      (await send(method, `${url}/api/public/v1${path}`, { token: key, body })).json,
    newDevice: async (profile) => {
      const device = await startDevice(extension, profile, [`${url}/`, web.url.href]);
      devices.push(device);
      await device.options.fill("#base", `${url}/api/public/v1`);
      return device;
    },
    killServer: async () => {
      await server.stop("SIGKILL");
    },
    startServer: async () => {
      server = await start(new URL(url).port);
    },
    faults: () => devices.flatMap((device) => device.faults),
    end: async () => {
      for (const { context } of devices) await context.close();
      await web.stop(true);
      await server.stop("SIGKILL");
    },
  };
};

const commandsOn =
  (binary: readonly string[], data: string): Scene["docket"] =>
  async (words, input = "") => {
    const { code, out, err } = await run(binary, [...words, "--data", data], { input });
    if (code !== 0) throw new Error(`docket ${words.join(" ")}: ${err}`);
    return out.trim();
  };

/** Serves pages whose title is their path. */
const startWeb = () =>
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
