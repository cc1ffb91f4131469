import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { READER } from "../../src/server/imports/reader.ts";
import { freshServer, EMAIL, PASSWORD } from "../support/browser/person.ts";
import { FILES_OF } from "../support/import/big.ts";
import { heldBy } from "../support/import/held.ts";
import { serve } from "../support/program.ts";
import { dice, seed, times } from "../support/random.ts";
import { type Visitor, visitor } from "../support/web/visitor.ts";

/** With `HISTORIES=13`, as many as a large collection has. */
const LINKS = times(4_000);

/** Imports a file on the page of a server that is killed so often meanwhile. Returns what the account holds then. */
const importOnPage = async (file: string, kills: number): Promise<unknown> => {
  const random = dice(seed);
  const fresh = await freshServer();
  const { data, binary } = fresh;
  let { server } = fresh;
  let ann = visitor(server);
  await ann.post("/setup", { code: fresh.code, email: EMAIL, password: PASSWORD });
  const { to } = JSON.parse((await ann.sendFile("/account/import?name=big", file)).html);
  const { location } = await ann.post(to);
  for (let left = kills; left > 0; left -= 1) {
    await Bun.sleep(random(150));
    await server.stop("SIGKILL");
    server = await serve(binary, ["--data", data]);
  }
  ann = visitor(server);
  await ann.post("/sign-in", { email: EMAIL, password: PASSWORD });
  await ended(ann, location ?? "");
  await server.stop();
  expect(readdirSync(join(data, "uploads"))).toEqual([]);
  return heldBy(data);
};

/** Waits until the page of an import says that it is done. */
const ended = async (ann: Visitor, location: string): Promise<void> => {
  for (;;) {
    const { text, html } = await ann.get(location);
    if (text.includes("See your tasks")) return;
    if (!html.includes("data-progress")) throw new Error(text);
    await Bun.sleep(50);
  }
};

test.each(["netscape", "raindrop"])(
  "A server that is killed while it imports %s goes on when it starts again",
  async (kind) => {
    const file = FILES_OF[kind]?.(LINKS) ?? "";
    expect(await importOnPage(file, times(4))).toEqual(await importOnPage(file, 0));
  },
  300_000 * times(1),
);

/** Ends the process that reads a file for this server, as the system does when there is no memory for it. */
const killReader = async (server: number): Promise<void> => {
  for (;;) {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const words = await Bun.file(`/proc/${pid}/cmdline`)
        .text()
        .catch(() => "");
      const status = await Bun.file(`/proc/${pid}/status`)
        .text()
        .catch(() => "");
      if (!words.includes(READER) || !status.includes(`PPid:\t${server}\n`)) continue;
      return void process.kill(Number(pid), "SIGKILL");
    }
    await Bun.sleep(1);
  }
};

test("A file that is too much for the process that reads it is refused, and the server goes on", async () => {
  const fresh = await freshServer();
  const ann = visitor(fresh.server);
  await ann.post("/setup", { code: fresh.code, email: EMAIL, password: PASSWORD });
  const file = FILES_OF["netscape"]?.(20_000) ?? "";
  const sent = ann.sendFile("/account/import?name=big", file);
  await killReader(fresh.server.pid);
  expect((await sent).status).toBe(422);
  expect((await sent).html).toContain("ends early or is damaged");
  expect((await ann.sendFile("/account/import?name=small", "https://a.example/")).status).toBe(200);
  await fresh.server.stop();
});
