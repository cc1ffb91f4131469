import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const place = testDirectory();

/** Runs a program that a test of printed files needs. */
const tool = async (...words: readonly string[]) => run(words, []);

/** What `docket print` prints, in a file. */
const printed = async (name: string, ...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(DOCKET, ["print", ...words]);
  if (code !== 0) throw new Error(err);
  const file = join(place, name);
  await Bun.write(file, out);
  return file;
};

/**
 * Types a line into a zsh with a terminal of its own, presses Tab, and prints what the terminal showed. Its arguments are the
 * directory of the completion and the line.
 */
const IN_ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($0 \\$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' list-choices; print rea''dy"
shown=
read_on() { while zpty -rt shell part; do shown+=$part; done; }
until [[ $shown == *ready$'\\r'* ]]; do sleep 0.05; read_on; done
zpty -n -w shell "$1"$'\\t'
shown=
until [[ $shown == *$'\\n'*$'\\n'* ]]; do sleep 0.05; read_on; done
sleep 0.2; read_on
print -r -- "ready"$'\\r'"$shown"
zpty -d shell
`;

const fixture = (name: string): string => join(import.meta.dir, "../fixtures", name);

const withTool = (name: string) => test.skipIf(Bun.which(name) === null);

describe("docket print systemd", () => {
  withTool("systemd-analyze")(
    "is a unit that systemd accepts, and that can do little",
    async () => {
      const file = await printed("docket.service", "systemd");
      expect(await Bun.file(file).text()).toContain(`ExecStart=${DOCKET[0]} serve
`);
      expect(await tool("systemd-analyze", "verify", "--man=no", file)).toEqual({
        code: 0,
        out: "",
        err: "",
      });
      const { out } = await tool("systemd-analyze", "security", "--offline=true", file);
      const exposure = Number(/exposure level for docket\.service: ([\d.]+)/.exec(out)?.[1]);
      expect(exposure).toBeLessThanOrEqual(1.5);
    },
  );
});

describe("docket print nginx, caddy, compose and docker", () => {
  test("name the public address and the port", async () => {
    const words = ["--public-url", "https://tasks.example.net", "--port", "4000"];
    const text = async (kind: string) => Bun.file(await printed(kind, kind, ...words)).text();
    const nginx = await text("nginx");
    expect(nginx).toContain("server_name tasks.example.net;");
    expect(nginx).toContain("proxy_pass http://127.0.0.1:4000;");
    const caddy = await text("caddy");
    expect(caddy).toContain("tasks.example.net {\n\treverse_proxy 127.0.0.1:4000\n}");
    const compose = Bun.YAML.parse(await text("compose")) as {
      readonly services: { readonly docket: Readonly<Record<string, unknown>> };
    };
    expect(compose.services.docket).toMatchObject({
      ports: ["127.0.0.1:4000:3625"],
      environment: { DOCKET_PUBLIC_URL: "https://tasks.example.net" },
    });
    expect(await text("docker")).toContain("HEALTHCHECK --interval=30s");
    expect(nginx + caddy).not.toContain("{{");
    // Who has no public address must be able to open the link to become the owner.
    const local = await Bun.file(await printed("local", "compose", "--port", "4000")).text();
    expect(local).toContain('DOCKET_PUBLIC_URL: "http://localhost:4000"');
  });

  withTool("nginx")("nginx accepts its file", async () => {
    const file = await printed("site", "nginx");
    const site = (await Bun.file(file).text())
      .replaceAll(/\/etc\/letsencrypt\S*fullchain.pem/g, fixture("tls-cert.pem"))
      .replaceAll(/\/etc\/letsencrypt\S*privkey.pem/g, fixture("tls-key.pem"));
    await Bun.write(file, site);
    const main = join(place, "nginx.conf");
    await Bun.write(main, `pid ${place}/pid;\nevents {}\nhttp { include ${file}; }\n`);
    const { err } = await tool("nginx", "-t", "-e", "stderr", "-c", main);
    expect(err).toContain("syntax is ok");
  });
});

describe("docket print man", () => {
  withTool("man")("is a page without warnings that names every command", async () => {
    const file = await printed("docket.1", "man");
    const { code, out, err } = await run(["man", "--warnings", "-l", file], [], {
      env: { MANWIDTH: "200", LC_ALL: "C.UTF-8" },
    });
    expect([code, err]).toEqual([0, ""]);
    for (const { name } of COMMANDS) expect(out).toContain(`docket ${name}`);
  });
});

describe("docket print completion", () => {
  let files: Readonly<Record<string, string>>;
  beforeAll(async () => {
    files = {
      bash: await printed("docket.bash", "completion", "bash"),
      zsh: await printed("_docket", "completion", "zsh"),
      fish: await printed("docket.fish", "completion", "fish"),
    };
  });

  const WORDS = [
    [["serv"], ["serve"]],
    [
      ["key", ""],
      ["create", "list", "revoke"],
    ],
    [["backups", "pr"], ["prune"]],
    [["key", "create", "--sc"], ["--scopes"]],
    [
      ["drill", "--da"],
      ["--data", "--database"],
    ],
  ] as const;

  for (const [typed, expected] of WORDS) {
    const line = `docket ${typed.join(" ")}`;

    test(`in bash: ${line}`, async () => {
      const script = `source ${files["bash"]}; COMP_WORDS=(docket "$@"); COMP_CWORD=$#; _docket; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { out, err } = await tool("bash", "-c", script, "bash", ...typed);
      expect([out.trim().split("\n").toSorted(), err]).toEqual([expected.toSorted(), ""]);
    });

    withTool("fish")(`in fish: ${line}`, async () => {
      const script = `source ${files["fish"]}; complete -C '${line}'`;
      const { out, err } = await run(["fish", "--no-config", "-c", script], [], {
        env: { HOME: place, TERM: "dumb" },
      });
      const found = out.trim().split("\n");
      const words = found.map((one) => one.split("\t")[0] ?? "").toSorted();
      expect([words, err]).toEqual([expected.toSorted(), ""]);
    });

    // A terminal of its own, in which keys are pressed: Tab twice lists what fits.
    withTool("zsh")(`in zsh: ${line}`, async () => {
      const { out } = await run(["zsh", "-f", "-c", IN_ZSH, place, line], [], {
        env: { HOME: place, TERM: "dumb" },
      });
      for (const word of expected) expect(out.split("ready\r").at(-1)).toContain(word);
      expect(out).not.toContain("_docket:");
    });
  }

  test("asks for a shell that it knows", async () => {
    const { code, err } = await run(DOCKET, ["print", "completion", "tcsh"]);
    expect([code, err]).toEqual([
      2,
      "docket: Name your shell: docket print completion bash, zsh or fish.\n",
    ]);
    const other = await run(DOCKET, ["print", "podman"]);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('There is no "podman"')]);
  });
});
