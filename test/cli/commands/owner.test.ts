import { describe, expect, test } from "bun:test";
import { VERSION } from "../../../src/domain/base/release.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../../support/docket.ts";
import { type ProgramOptions, run, type Running, serve } from "../../support/program.ts";
import { testDirectory } from "../../support/server.ts";
import { PASSWORD, type Visitor, visitor } from "../../support/web/visitor.ts";

// Programs take a while to start when all tests run at once.

const CODE = "(?:[0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}";
const browserAt = ({ url }: Running): Visitor => visitor({ url });

const docketIn = (directory: string) => (words: readonly string[], options?: ProgramOptions) =>
  run(DOCKET, [...words, "--data", directory], options);

const setUp = (browser: Visitor, code: string) =>
  browser.post("/setup", { code, email: "ann@example.org", password: PASSWORD });

/** The lines that the server prints when it starts, once there are that many. */
const greeting = async (server: Running, lines: number): Promise<readonly string[]> => {
  while (server.printed().split("\n").length <= lines) await Bun.sleep(5);
  return server.printed().trimEnd().split("\n");
};

/** Where people open it: browsers allow passkeys on localhost, and at no IP address. */
const pagesOf = ({ url }: Running): string => url.replace("127.0.0.1", "localhost");

const WELCOME = (server: Running, directory: string) => [
  `Docket ${VERSION} is listening on ${server.url}`,
  `  Tasks   ${pagesOf(server)}/tasks`,
  `  Account ${pagesOf(server)}/account`,
  `  API     ${server.url}/api/public/v1`,
  `  Docs    ${server.url}/docs`,
  `  Data    ${directory}`,
];

const codeOf = (text: string): string => new RegExp(CODE).exec(text)?.[0] ?? "";

describe("the first start", () => {
  test("prints the set-up link and its code; the next start does not", async () => {
    const directory = testDirectory();
    const server = await serve(DOCKET, ["--data", directory]);
    const printed = await greeting(server, 9);
    const code = codeOf(printed[7] ?? "");
    expect(printed).toEqual([
      ...WELCOME(server, directory),
      "This server has no owner yet. Open this link within 30 minutes to set it up:",
      `  ${pagesOf(server)}/setup#${code}`,
      `Or type the code ${code} on the page /setup. For a new link, run: docket owner link --data=${directory} --port=${new URL(server.url).port}`,
    ]);
    expect((await setUp(browserAt(server), code)).status).toBe(303);
    await server.stop();
    const again = await serve(DOCKET, ["--data", directory]);
    await browserAt(again).get("/sign-in");
    expect(await greeting(again, 6)).toEqual(WELCOME(again, directory));
    await again.stop();
  });

  test("prints a new link every time until the server has an owner, and the old link no longer works", async () => {
    const directory = testDirectory();
    const first = await serve(DOCKET, ["--data", directory]);
    const old = codeOf((await greeting(first, 9)).join("\n"));
    await first.stop();
    const second = await serve(DOCKET, ["--data", directory]);
    const code = codeOf((await greeting(second, 9)).join("\n"));
    expect((await setUp(browserAt(second), old)).status).toBe(422);
    expect((await setUp(browserAt(second), code)).status).toBe(303);
    await second.stop();
  });

  test("shows the public address, if one is set", async () => {
    const words = ["--data", testDirectory(), "--public-url", "https://docket.example.org/"];
    const server = await serve(DOCKET, words);
    const printed = (await greeting(server, 9)).join("\n");
    expect(printed).toContain("  Tasks   https://docket.example.org/tasks\n");
    expect(printed).toContain("  Account https://docket.example.org/account\n");
    expect(printed).toMatch(new RegExp(`  https://docket\\.example\\.org/setup#${CODE}\n`));
    await server.stop();
  });
});

describe("docket owner link", () => {
  test("prints only a new link on standard output, while the server runs, and the old link no longer works", async () => {
    const directory = testDirectory();
    const server = await serve(DOCKET, ["--data", directory]);
    const old = codeOf((await greeting(server, 9)).join("\n"));
    const { port } = new URL(server.url);
    const made = await docketIn(directory)(["owner", "link", "--port", port]);
    const code = codeOf(made.out);
    expect(made).toEqual({
      code: 0,
      out: `${pagesOf(server)}/setup#${code}\n`,
      err: `Open this link within 30 minutes, or type the code ${code} on the page /setup:\n`,
    });
    const ann = browserAt(server);
    expect((await setUp(ann, old)).status).toBe(422);
    expect((await setUp(ann, code)).status).toBe(303);
    await server.stop();
  });

  test("uses the settings of the server", async () => {
    const directory = testDirectory();
    const docket = docketIn(directory);
    await docket(["account", "add", "ann@example.org"]);
    const env = { DOCKET_PUBLIC_URL: "https://docket.example.org", DOCKET_PORT: "4000" };
    for (const [options, start] of [
      [{}, "http://localhost:3625"],
      [{ env: { DOCKET_PORT: "4000" } }, "http://localhost:4000"],
      [{ env: { DOCKET_HOST: "0.0.0.0" } }, "http://localhost:3625"],
      [{ env: { DOCKET_HOST: "192.0.2.1" } }, "http://192.0.2.1:3625"],
      [{ env }, "https://docket.example.org"],
    ] as const)
      expect((await docket(["owner", "link"], options)).out).toMatch(
        new RegExp(`^${start}/setup#${CODE}\n$`),
      );
  });

  test("is refused once the server has an owner", async () => {
    const directory = testDirectory();
    const server = await serve(DOCKET, ["--data", directory]);
    await setUp(browserAt(server), codeOf((await greeting(server, 9)).join("\n")));
    expect(await docketIn(directory)(["owner", "link"])).toEqual({
      code: 1,
      out: "",
      err: "docket: This server already has an owner. To set a new password, run `docket account password ann@example.org`.\n",
    });
    await server.stop();
  });

  test("creates no data: a link to a mistyped directory would lead nowhere", async () => {
    const directory = join(testDirectory(), "mistyped");
    expect(await docketIn(directory)(["owner", "link"])).toEqual({
      code: 1,
      out: "",
      err: `docket: There are no data in ${directory}. Check the path. For new data, start the server there or run \`docket account add EMAIL\`.\n`,
    });
    expect(existsSync(directory)).toBe(false);
  });
});
