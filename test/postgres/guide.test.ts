import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { freePort, onPostgres, usePostgres } from "../support/postgres.ts";
import { buildBinary, plainEnvironment } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";

const GUIDE = readFileSync(join(import.meta.dir, "../../src/reference/guides/postgres.md"), "utf8");

/** The commands of the page, as they stand there, in their order. */
const COMMANDS = [...GUIDE.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);

const onPage = (begins: string): string => {
  const found = COMMANDS.find((one) => one.startsWith(begins));
  if (found === undefined) throw new Error(`The page has no command ${begins}.`);
  return found;
};

onPostgres("The operator's page, step by step on a machine with nothing", () => {
  const root = testDirectory();
  const bin = join(root, "bin");
  const postgres = usePostgres();
  let server = "";
  beforeAll(async () => {
    server = new URL(await postgres.database("unused")).host;
    const [program = ""] = await buildBinary();
    mkdirSync(bin);
    symlinkSync(program, join(bin, "docket"));
  });

  const start = (command: string, more: Readonly<Record<string, string>> = {}) => {
    const [host = "", port = ""] = server.split(":");
    const own = command
      .replaceAll("db.example.org", server)
      .replaceAll("/etc/docket", root)
      .replaceAll(" DIR", ` ${join(root, "back")}`)
      .replaceAll("URL", `postgres://docket:password@${server}/docket`);
    return Bun.spawn(["sh", "-c", own], {
      cwd: root,
      env: plainEnvironment({
        PATH: `${bin}:${process.env["PATH"]}`,
        PGHOST: host,
        PGPORT: port,
        PGUSER: "docket",
        ...more,
      }),
      stdin: Buffer.from("correct horse battery"),
      stdout: "pipe",
      stderr: "pipe",
    });
  };
  const does = async (
    command: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<string> => {
    const child = start(command, more);
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect([command, await child.exited, err]).toEqual([command, 0, err]);
    return out + err;
  };
  test("makes the database, moves data there, and starts three servers, of which one works", async () => {
    await does("docket account add ann@example.org --password-stdin --data here");
    // Not `createuser`: it asks on a terminal, and this PostgreSQL has that user.
    await does(onPage("createdb"));
    await does(onPage("echo"));
    const moved = onPage("docket move --to");
    expect(await does(moved, { DOCKET_DATA: join(root, "here") })).toContain("account: 1 rows");
    const ports = [freePort(), freePort(), freePort()];
    const servers = ports.map((port, index) =>
      start(onPage("DOCKET_DATABASE_FILE").replace("docket serve", "exec docket serve"), {
        DOCKET_PORT: `${port}`,
        DOCKET_DATA: join(root, `server-${index}`),
      }),
    );
    const ready = async (): Promise<readonly number[]> =>
      Promise.all(
        ports.map(async (port) =>
          fetch(`http://127.0.0.1:${port}/readyz`, { headers: { host: "localhost" } }).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      );
    await until(async () => (await ready()).toSorted().join() === "200,503,503");
    servers[(await ready()).indexOf(200)]?.kill("SIGKILL");
    await until(async () => (await ready()).toSorted().join() === "0,200,503");
    for (const one of servers) one.kill("SIGKILL");
    await Promise.all(servers.map(({ exited }) => exited));
    const address = { DOCKET_DATABASE_FILE: join(root, "database") };
    await until(async () => (await start(onPage("docket restored"), address).exited) === 0);
    await does("docket move --database URL --to DIR");
    expect(await does(`docket account list --data ${join(root, "back")}`)).toContain("ann@");
  });
});
