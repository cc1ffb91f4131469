import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectSecurely } from "node:tls";
import { errorOf, request } from "../support/bridge.ts";
import { run } from "../support/program.ts";
import { SAYS, V1 } from "../support/replies.ts";
import { exchange, head } from "../support/socket.ts";
import { environment, stranger } from "../support/stranger.ts";
import { visitor } from "../support/web/visitor.ts";
import { annsServer, loggedUntil } from "../support/binary/attack.ts";

// Attacks by strangers and on the connection, as they once worked, against the executable.

const ann = await annsServer();
const key = await ann.key("read,write");
const PASSWORD = "my cat sleeps on the keyboard";

describe("The log", () => {
  test("names the address and the account of a failed sign-in, and not what was typed", async () => {
    const words = ["--data", ann.data, "account", "password", "ann@example.org"];
    expect((await run(ann.binary, words, { input: `${PASSWORD}\n` })).code).toBe(0);
    const form = { email: "ann@example.org", password: "my secret guess" };
    expect((await visitor(ann).post("/sign-in", form)).status).toBe(422);
    const log = await loggedUntil(ann.server, "failed sign-in");
    const line = log.split("\n").find((one) => one.includes("failed sign-in")) ?? "";
    expect(JSON.parse(line)).toEqual({
      time: expect.any(String) as string,
      level: "warn",
      message: "failed sign-in",
      address: "127.0.0.1",
      by: "password",
      because: "refused",
      account: "ann@example.org",
    });
    expect(log).not.toContain("my secret guess");
  });

  test("has no long line, whatever a stranger sends", async () => {
    await ann.call("GET", `/${"x".repeat(10_000)}`);
    const form = { email: `${"y".repeat(16_000)}@example.org`, password: "wrong password" };
    await visitor(ann).post("/sign-in", form);
    await ann.call("GET", "/after-the-long-ones");
    const log = await loggedUntil(ann.server, "after-the-long-ones");
    expect(log).toContain("xxxxxxxx");
    expect(log.split("\n").filter(({ length }) => length > 1_000)).toEqual([]);
  });

  test("has no token that was percent-encoded in a path", async () => {
    const whole = `%${Buffer.from(key)
      .toString("hex")
      .replaceAll(/(..)(?=.)/g, "$1%")}`;
    for (const written of [key.replace("_", "%5F"), whole, whole.replaceAll("%", "%25")])
      await ann.call("GET", `/tasks/${written}`, { token: key });
    await ann.call("GET", "/after-the-tokens");
    const log = await loggedUntil(ann.server, "after-the-tokens");
    for (const text of [log, decodeURIComponent(log.replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25"))]) {
      expect(text).not.toContain(key.slice(12));
      expect(text).not.toContain(whole.slice(30));
    }
  });
});

const fixture = (name: string): string => join(import.meta.dir, "../fixtures", name);

describe("Over TLS", async () => {
  const files = [
    "--tls-cert",
    fixture("tls-rsa-cert.pem"),
    "--tls-key",
    fixture("tls-rsa-key.pem"),
  ];
  const secure = await annsServer(...files, "--allowed-hosts", "docket.example.org");

  /** Whether a client that offers only these suites gets a connection. */
  const accepts = (ciphers: string): Promise<boolean> =>
    new Promise((resolve) => {
      const { hostname: host, port } = new URL(secure.url);
      const socket = connectSecurely(
        { host, port: Number(port), rejectUnauthorized: false, ciphers, maxVersion: "TLSv1.2" },
        () => {
          resolve(true);
          socket.destroy();
        },
      );
      socket.on("error", () => resolve(false));
    });

  test("a suite without forward secrecy is refused", async () => {
    for (const ciphers of ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA", "AES256-SHA"])
      expect([ciphers, await accepts(ciphers)]).toEqual([ciphers, false]);
    expect(await accepts("ECDHE-RSA-AES128-GCM-SHA256")).toBe(true);
  });

  test("replies of the API tell browsers to keep using https", async () => {
    const reply = await fetch(`${secure.url}${V1}/me`, {
      headers: { host: "docket.example.org" },
      tls: { rejectUnauthorized: false },
    });
    const hsts = reply.headers.get("strict-transport-security");
    expect([reply.status, hsts]).toEqual([401, "max-age=31536000"]);
  });
});

/** Sends a text on one connection, and resolves with what came back once the server has closed it. */
const talk = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(ann.url);
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (data) => {
      received += String(data);
    });
    socket.on("close", () => resolve(received));
    socket.write(text);
  });

test("a POST pipelined after a key's GET is never carried out without an answer: Bun closes the connection", async () => {
  const fields = ["Host: localhost", `Authorization: Bearer ${key}`];
  const body = '{"title":"pipelined"}';
  const typed = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  const post = head(`POST ${V1}/tasks`, ...fields, ...typed) + body;
  expect(await talk(head(`GET ${V1}/tasks`, ...fields) + post)).toBe("");
  expect((await ann.call("GET", "/tasks", { token: key })).json.tasks).toEqual([]);
});

// Bun drops the name in the request line before Docket sees the request. No page can make a browser send one.
test("an absolute-form request for a foreign host is refused by its Host header, and the name in its line is not used", async () => {
  const credential = `Authorization: Bearer ${key}`;
  const ask = (target: string, host: string) =>
    exchange(ann.url, [head(`GET ${target}${V1}/me`, `Host: ${host}`, credential)]);
  for (const target of ["http://evil.example", ann.url]) {
    const { status, body } = await ask(target, "evil.example");
    expect([target, status, body]).toEqual([target, 421, JSON.stringify({ error: SAYS.host })]);
  }
  const [plain, absolute] = [
    await ask("", "localhost"),
    await ask("http://evil.example", "localhost"),
  ];
  expect([absolute.status, absolute.body]).toEqual([plain.status, plain.body]);
  expect(JSON.stringify([...absolute.headers])).not.toContain("evil");
});

test("docket mcp does not read a reply without end", async () => {
  const stopped = Promise.withResolvers<void>();
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
    },
    cancel: () => stopped.resolve(),
  });
  const { url } = stranger(() => new Response(endless));
  const input = JSON.stringify(request(1, "ping"));
  const { out } = await run(ann.binary, ["mcp"], { env: environment(url), input });
  expect(JSON.parse(out)).toEqual(
    errorOf(
      1,
      `The reply from ${url} was longer than 32 MiB, so it was not read to its end. The call may have taken effect. Check before you repeat it.`,
    ),
  );
  await stopped.promise;
  expect(sent).toBeLessThan(100);
});
