import type { Config } from "../../config/config.ts";
import { SETTINGS } from "../../config/settings.ts";
import { PROGRAM } from "../../server/program.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { VERSION } from "../../domain/base/release.ts";
import type { Command, Run } from "../command.ts";
import { bash, fish, zsh } from "../print/completion.ts";
import { manPage } from "../print/man.ts";
import caddy from "../print/caddy.txt" with { type: "text" };
import compose from "../print/compose.txt" with { type: "text" };
import docker from "../print/docker.txt" with { type: "text" };
import nginx from "../print/nginx.txt" with { type: "text" };
import systemd from "../print/systemd.txt" with { type: "text" };

/** Where this program is; from source, where an installed one would be. */
const INSTALLED = PROGRAM.length === 1 ? String(PROGRAM[0]) : "/usr/local/bin/docket";

/** Files for other programs, with the server's settings put in. */
const TEMPLATES: Readonly<Record<string, string>> = { systemd, docker, compose, caddy, nginx };

const SHELLS = { bash, zsh, fish } as const;

/** Returns the command. It needs to know all others, which `completion` and `man` describe. */
export const printCommand = (others: () => readonly Command[]): Command => ({
  name: "print",
  usage:
    "systemd|docker|compose|caddy|nginx|man|completion bash|zsh|fish [--public-url URL] [--port PORT]",
  about:
    "print a file for another program: a systemd unit, a container's recipe, a proxy's configuration, the manual page, a shell's completion",
  flags: { "public-url": true, port: true },
  words: [1, 2],
  run: async (run) => {
    run.print(textOf(run, others()).trimEnd());
    return 0;
  },
});

const textOf = ({ config, words: [kind = "", shell = ""] }: Run, commands: readonly Command[]) => {
  const template = TEMPLATES[kind];
  if (template !== undefined && shell === "") return filled(template, config);
  if (kind === "man" && shell === "") return manPage(commands, SETTINGS, VERSION);
  if (kind === "completion" && Object.hasOwn(SHELLS, shell))
    return SHELLS[shell as keyof typeof SHELLS](commands);
  throw new UsageError(
    kind === "completion"
      ? "Name your shell: docket print completion bash, zsh or fish."
      : `There is no "${kind}" to print. Choose systemd, docker, compose, caddy, nginx, man, or completion with a shell.`,
  );
};

/** Without a public address, proxies get one to replace; a container is reached from its own machine. */
const filled = (template: string, { publicUrl, port }: Config): string => {
  const url = publicUrl ?? new URL("https://docket.example.org");
  return template
    .replaceAll("{{ADDRESS}}", publicUrl?.origin ?? `http://localhost:${port}`)
    .replaceAll("{{URL}}", url.origin)
    .replaceAll("{{HOST}}", url.hostname)
    .replaceAll("{{PORT}}", String(port))
    .replaceAll("{{PROGRAM}}", INSTALLED);
};
