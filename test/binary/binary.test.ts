import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { VERSION } from "../../src/domain/base/release.ts";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { buildBinary, type Running, run, serve } from "../support/program.ts";
import { type CallOptions, send, testDirectory } from "../support/server.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");

describe("The executable", () => {
  const data = testDirectory();
  const workplace = testDirectory();
  let binary: readonly string[];
  let server: Running;
  let api: string;
  let token: string;
  let key: string;

  const docket = (...words: string[]) =>
    run(binary, [...words, "--data", data], { cwd: workplace });

  beforeAll(async () => {
    binary = await buildBinary();
    // A hostile working directory. A compiled program reads these files unless it is built not to.
    writeFileSync(join(workplace, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(workplace, "evil.ts"), 'await Bun.write("evil-was-here", "");\n');
    writeFileSync(join(workplace, ".env"), "DOCKET_PORT=1\nDOCKET_EVIL=1\n");
    await docket("account", "add", "ann@example.org");
    token = (await docket("session", "create")).out.trim();
    key = (await docket("key", "create", "--name", "bot", "--scopes", "read,write")).out.trim();
    server = await serve(binary, ["--data", data], { cwd: workplace });
    api = `${server.url}/api/public/v1`;
  });

  afterAll(async () => {
    await server.stop();
  });

  test("is at most 120 MB", () => {
    expect(statSync(binary[0] ?? "").size).toBeLessThanOrEqual(120_000_000);
  });

  test("starts and answers in a hostile working directory without reading its files", async () => {
    expect((await send("GET", `${server.url}/readyz`)).json).toEqual({ status: "ready" });
    expect(readdirSync(workplace).toSorted()).toEqual([".env", "bunfig.toml", "evil.ts"]);
  });

  test("searches on a thread of its own, which is in the executable and not in the working directory", async () => {
    const folder = join(workplace, "db/sqlite/search");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "thread.js"), 'await Bun.write("evil-was-here", "");\n');
    const body = { title: "Rust book", tabs: [{ url: "https://a.example/x" }] };
    expect((await send("POST", `${api}/tasks`, { token, body })).status).toBe(201);
    for (const query of ["q=rust", "url=https://a.example/x"]) {
      const found = await send("GET", `${api}/tasks?${query}`, { token });
      expect([query, found.status, found.json.tasks.length]).toEqual([query, 200, 1]);
    }
    rmSync(join(workplace, "db"), { recursive: true });
    expect(readdirSync(workplace).toSorted()).toEqual([".env", "bunfig.toml", "evil.ts"]);
  });

  test.each([
    ["a tool", "POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }],
    ["a page", "GET", "/setup", undefined],
  ])(
    "answers others while it loads what the first call of %s needs",
    async (_, method, path, body) => {
      const own = testDirectory();
      await run(binary, ["account", "add", "ann@example.org", "--data", own]);
      const session = await run(binary, ["session", "create", "--data", own]);
      const options = { token: session.out.trim(), body };
      /** The order of the answers to such a call and to one that comes 10 ms later. Loading takes some 40 ms. */
      const order = async (): Promise<string> => {
        const other = await serve(binary, ["--data", own]);
        const answered: string[] = [];
        const ask = async (way: string, at: string, more: CallOptions = {}): Promise<void> => {
          expect((await send(way, other.url + at, more)).status).toBe(200);
          answered.push(at);
        };
        await ask("GET", "/healthz");
        const first = ask(method, path, options);
        await Bun.sleep(10);
        await Promise.all([first, ask("GET", "/healthz")]);
        await other.stop();
        return answered.join(" ");
      };
      // On a busy machine the later call may come too late. If all is loaded in one go, none is ever answered before.
      const seen: string[] = [];
      while (seen.length < 8 && !seen.includes(`/healthz /healthz ${path}`))
        seen.push(await order());
      expect(seen).toContain(`/healthz /healthz ${path}`);
    },
  );

  test("serves and prints the same OpenAPI document", async () => {
    const { status, text, json } = await send("GET", `${server.url}/openapi.json`);
    expect([status, JSON.parse(text)]).toEqual([200, JSON.parse((await docket("openapi")).out)]);
    expect(json).toMatchObject({ openapi: "3.1.2", info: { title: "Docket" } });
  });

  test("prints its addresses and the set-up link, without colours if the output is not a terminal", async () => {
    while (!server.printed().includes("docket owner link")) await Bun.sleep(5);
    const code = /#(\S+)/.exec(server.printed())?.[1] ?? "";
    expect(code).toMatch(/^(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
    const pages = server.url.replace("127.0.0.1", "localhost");
    expect(server.printed().split("\n")).toEqual([
      `Docket ${VERSION} is listening on ${server.url}`,
      `  Tasks   ${pages}/tasks`,
      `  Account ${pages}/account`,
      `  API     ${api}`,
      `  Docs    ${server.url}/docs`,
      `  Data    ${data}`,
      "This server has no owner yet. Open this link within 30 minutes to set it up:",
      `  ${pages}/setup#${code}`,
      expect.stringContaining(
        `Or type the code ${code} on the page /setup. For a new link, run: docket owner link --data=${data} `,
      ),
      "",
    ]);
  });

  test.each(["0", "-3", "201", "1e2", "x", "1.5", ""])(
    "checks the query: limit=%s is refused",
    async (limit) => {
      const { status, json } = await send("GET", `${api}/tasks?limit=${limit}`, { token });
      expect([status, json]).toEqual([
        422,
        { error: "Query parameter limit must be a whole number from 1 to 200." },
      ]);
    },
  );

  test("checks request bodies as the source does", async () => {
    const refused = await send("POST", `${api}/tasks`, { token, body: { title: 7 } });
    expect([refused.status, refused.json]).toEqual([422, { error: "title must be a string." }]);
    const unknown = await send("POST", `${api}/tasks`, { token, body: { title: "x", more: 1 } });
    expect(unknown.status).toBe(422);
    expect(unknown.json.error).toStartWith("more is not a known field. It takes: title, ");
    const made = await send("POST", `${api}/tasks`, { token: key, body: { title: "kept" } });
    expect([made.status, made.json.created_by]).toEqual([201, "agent"]);
  });

  test("accepts a token only in the header", async () => {
    const { status } = await send("GET", `${api}/me?access_token=${token}&token=${token}`);
    expect(status).toBe(401);
    const body = { title: "x", access_token: token };
    expect((await send("POST", `${api}/tasks`, { body })).status).toBe(401);
  });

  test("refuses a caller without a credential before the body has arrived", async () => {
    const reply = await firstLine(
      server,
      "POST /api/public/v1/sync HTTP/1.1",
      "Transfer-Encoding: chunked",
    );
    expect(reply).toBe("HTTP/1.1 401 Unauthorized");
  });

  test("answers a DELETE of 100 MB before its body has arrived", async () => {
    const reply = await firstLine(server, "DELETE /anything HTTP/1.1", "Content-Length: 100000000");
    expect(reply).toBe("HTTP/1.1 405 Method Not Allowed");
  });

  test("serves https with a certificate", async () => {
    const [cert, secret] = [join(FIXTURES, "tls-cert.pem"), join(FIXTURES, "tls-key.pem")];
    const words = ["--data", testDirectory(), "--tls-cert", cert, "--tls-key", secret];
    const secure = await serve(binary, words);
    expect(secure.url).toStartWith("https://");
    const reply = await fetch(`${secure.url}/healthz`, { tls: { rejectUnauthorized: false } });
    expect(await reply.json()).toEqual({ status: "ok" });
    await secure.stop();
  });

  test("says why it cannot start while another server uses the data", async () => {
    const second = await docket("serve", "--port", "0");
    expect(second).toEqual({
      code: 1,
      out: "",
      err:
        `docket: Another Docket server (process ${server.pid}) is using ${data}. ` +
        "Stop it first, or choose another directory with --data.\n",
    });
  });

  test("says why it cannot start if the port is taken", async () => {
    const { port } = new URL(server.url);
    const second = await run(binary, ["serve", "--port", port, "--data", testDirectory()]);
    expect([second.code, second.out]).toEqual([1, ""]);
    expect(second.err).toContain(
      "Another program is already listening on this port. Stop it, or choose another port with --port.",
    );
  });
});

/** The first line of the reply to a request whose body never ends. */
const firstLine = (server: Running, ...head: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", reject);
    socket.on("data", (data) => {
      resolve(String(data).split("\r\n")[0] ?? "");
      socket.destroy();
    });
    socket.write(
      `${[...head, "Host: localhost", "Content-Type: application/json"].join("\r\n")}\r\n\r\n`,
    );
  });
