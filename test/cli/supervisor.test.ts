import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";

// A service manager: a datagram socket, which only another program than Bun can open.
const MANAGER = `
import socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1].replace("@", "\\0"))
print("listening", flush=True)
while True: print(listener.recv(1000).decode(), flush=True)
`;

const managed = async (address: string) => {
  const manager = Bun.spawn(["python3", "-c", MANAGER, address], { stdout: "pipe" });
  let heard = "";
  const listen = async (): Promise<void> => {
    for await (const chunk of manager.stdout) heard += new TextDecoder().decode(chunk);
  };
  void listen();
  await until(() => heard.includes("listening"));
  return { heard: () => heard.trim().split("\n").slice(1), end: () => manager.kill() };
};

test.skipIf(Bun.which("python3") === null).each(["in the file system", "abstract"])(
  "A service manager, at an address %s, hears when the server is ready, alive and stopping",
  async (kind) => {
    const path = join(testDirectory(), "notify");
    const address = kind === "abstract" ? `@${path}` : path;
    const manager = await managed(address);
    const env = { NOTIFY_SOCKET: address, WATCHDOG_USEC: "1000000" };
    const server = await serve(DOCKET, ["--data", testDirectory(), "--log", "off"], { env });
    await until(() => manager.heard().includes("WATCHDOG=1"));
    expect(manager.heard()[0]).toBe("READY=1");
    expect(await server.stop()).toBe(0);
    await until(() => manager.heard().includes("STOPPING=1"));
    manager.end();
  },
);

test("Without a manager, and with one that is gone, a server starts as always", async () => {
  const env = { NOTIFY_SOCKET: "/nowhere/notify", WATCHDOG_USEC: "1000000" };
  const server = await serve(DOCKET, ["--data", testDirectory(), "--log", "off"], { env });
  expect(await server.stop()).toBe(0);
});

test.skipIf(process.getuid?.() !== 0)(
  "A command that root runs leaves no file that is not the owner's of the data, and gets where only root does",
  async () => {
    const [place, home] = [testDirectory(), testDirectory()];
    for (const directory of [place, home]) chmodSync(directory, 0o700);
    const [data, backup] = [join(place, "data"), join(home, "backup.db")];
    mkdirSync(data, { mode: 0o700 });
    Bun.spawnSync(["chown", "65532:65532", data]);
    const docket = async (...words: readonly string[]) => {
      const { code, err } = await run(DOCKET, [...words, "--data", data]);
      expect([words[0], code, err]).toEqual([words[0], 0, expect.any(String)]);
    };
    const links = join(home, "links.html");
    writeFileSync(links, '<DL><DT><A HREF="https://news.example/">News</A></DL>', { mode: 0o600 });
    await docket("account", "add", "ann@example.org");
    await docket("import", links);
    await docket("backup", backup);
    await docket("drill", backup);
    await docket("restore", backup, "--yes");
    const files = [...new Bun.Glob("**/*").scanSync(data)];
    expect(files).toContain("docket.db");
    for (const file of files) expect([file, statSync(join(data, file)).uid]).toEqual([file, 65532]);
  },
);
