import { VERSION } from "../../domain/base/release.ts";
import type { Config } from "../../config/config.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { Command } from "../command.ts";
import { readNotices } from "../../licenses/notices.ts";
import { keepOffProxies } from "../../server/proxies.ts";
import { printList } from "../terminal.ts";
import { ROUTES } from "../../http/routes.ts";

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

export const configCommand: Command = {
  name: "config",
  usage: "[options of serve] [--json]",
  about: "print each setting as a server would have it, and where it comes from; no secrets",
  flags: { ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, true])), json: false },
  words: [0, 0],
  run: async (run) => {
    printList(run, run.settings(), "");
    return 0;
  },
};

export const licensesCommand: Command = {
  name: "licenses",
  usage: "",
  about: "print the licences of everything in this program",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    await run.write(readNotices());
    return 0;
  },
};

/** For a supervisor, or a container that has no other program to ask the server with. */
export const healthcheckCommand: Command = {
  name: "healthcheck",
  usage: "[--host ADDRESS] [--port PORT]",
  about: "check that the running server answers (exit code 0 if it does)",
  flags: { host: true, port: true },
  words: [0, 0],
  run: async (run) => {
    const url = `${run.url?.replace(/\/+$/, "") ?? localAddress(run.config)}/healthz`;
    try {
      keepOffProxies(new URL(url));
      // This is our own address: a certificate need not name it.
      const tls = run.url === undefined ? { rejectUnauthorized: false } : {};
      const { status } = await fetch(url, { tls, signal: AbortSignal.timeout(5_000) });
      run.say(`${url} answered with status ${status}.`);
      return status === 200 ? 0 : 1;
    } catch {
      run.say(`${url} did not answer. Check that the server is running.`);
      return 1;
    }
  },
};

/**
 * The address for people on the server's own machine: browsers allow passkeys on `localhost`, and at no IP address.
 * Programs get the number, because `localhost` can be two addresses, of which only one answers.
 */
export const pagesAddress = (config: Config): string =>
  config.publicUrl?.origin ?? localAddress(config).replace("//127.0.0.1:", "//localhost:");

/** The address of a server with these settings, as seen from its own machine. */
export const localAddress = ({ host, port, tls }: Config): string => {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${tls ? "https" : "http"}://${name}:${port}`;
};

/** For authors of clients: it needs no server. */
export const openapiCommand: Command = {
  name: "openapi",
  usage: "",
  about: "print the API as an OpenAPI document, the same as /openapi.json",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    // Loaded only here, so that no other command waits for it.
    const { documentText } = await import("../../http/openapi/document.ts");
    run.print(JSON.stringify(JSON.parse(documentText(ROUTES)), null, 2));
    return 0;
  },
};
