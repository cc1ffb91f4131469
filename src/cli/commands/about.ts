import { VERSION } from "../../domain/base/release.ts";
import type { Config } from "../../config.ts";
import type { Command } from "../command.ts";
import { keepOffProxies } from "../proxies.ts";

export const versionCommand: Command = {
  name: "version",
  usage: "",
  about: "print the version",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    run.print(`docket ${VERSION}`);
    return 0;
  },
};

/** For a supervisor or a container that has no other program to ask with. */
export const healthcheckCommand: Command = {
  name: "healthcheck",
  usage: "[--host ADDRESS] [--port PORT]",
  about: "ask the running server whether it answers (exit code 0 if it does)",
  flags: { host: true, port: true },
  words: [0, 0],
  run: async (run) => {
    const url = `${run.url?.replace(/\/+$/, "") ?? localAddress(run.config)}/healthz`;
    try {
      keepOffProxies(new URL(url));
      // Our own address, which a certificate need not name.
      const tls = run.url === undefined ? { rejectUnauthorized: false } : {};
      const { status } = await fetch(url, { tls, signal: AbortSignal.timeout(5_000) });
      run.say(`${url} answers ${status}.`);
      return status === 200 ? 0 : 1;
    } catch {
      run.say(`${url} does not answer.`);
      return 1;
    }
  },
};

/** Where a server with these settings is reached from its own machine. */
export const localAddress = ({ host, port, tls }: Config): string => {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${tls ? "https" : "http"}://${name}:${port}`;
};
