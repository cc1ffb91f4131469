import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameOfCopy } from "../../src/db/copies.ts";
import { VERSION } from "../../src/domain/base/release.ts";
import { DAY, formatInstant } from "../../src/domain/base/instant.ts";
import { overwriteRest } from "../support/faults/damage.ts";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { makeCredentials, query, startServerProcess } from "../support/process.ts";
import { send, testDirectory } from "../support/server.ts";
import { FAKETIME, testWith } from "../support/faults/needs.ts";

type Finding = {
  readonly about: string;
  readonly state: "note" | "ok" | "problem";
  readonly found: string;
  readonly mend: string | null;
};

const doctor = async (data: string, ...words: readonly string[]) => {
  const { code, out, err } = await run(DOCKET, ["doctor", "--json", "--data", data, ...words]);
  if (code > 1) throw new Error(err);
  const findings = JSON.parse(out) as readonly Finding[];
  const wrong = findings.filter(({ state }) => state !== "ok");
  expect(code).toBe(wrong.some(({ state }) => state === "problem") ? 1 : 0);
  for (const { mend } of wrong) expect(mend).toMatch(/\S/);
  return { findings, wrong: wrong.map(({ about, state }) => `${state}: ${about}`), shown: wrong };
};

/** Data that have all they need: an owner, a key that expires, a fresh copy. */
const healthy = async () => {
  const data = testDirectory();
  const { session } = await makeCredentials(data);
  query(data, "UPDATE account SET owner = 1");
  query(data, `UPDATE api_key SET expires_at = ${Date.now() + 30 * DAY}`);
  mkdirSync(join(data, "backups"), { mode: 0o700 });
  await run(DOCKET, [
    "backup",
    join(data, "backups", nameOfCopy("daily", Date.now())),
    "--data",
    data,
  ]);
  return { data, session };
};

const NOT_RUNNING = "note: server";

describe("docket doctor finds nothing wrong with", () => {
  test("data at rest, but that no server runs", async () => {
    const { data } = await healthy();
    expect((await doctor(data, "--port", "9")).wrong).toEqual([NOT_RUNNING]);
  });

  test("a server at work; and prints lines for people", async () => {
    const { data } = await healthy();
    const server = await startServerProcess(data);
    const port = new URL(server.url()).port;
    const { wrong, findings } = await doctor(data, "--port", port);
    expect(wrong).toEqual([]);
    expect(findings.length).toBeGreaterThan(9);
    const { code, out } = await run(DOCKET, ["doctor", "--data", data, "--port", port]);
    expect(code).toBe(0);
    expect(out).toContain("ok       database     Every page of the database is sound.\n");
    await server.stop("SIGTERM");
  });
});

const FAULTS: readonly (readonly [string, (data: string) => unknown, string])[] = [
  ["a directory that others may read", (data) => chmodSync(data, 0o755), "problem: access"],
  [
    "a database that others may read",
    (data) => chmodSync(join(data, "docket.db"), 0o644),
    "problem: access",
  ],
  ["a damaged database", (data) => overwriteRest(join(data, "docket.db")), "problem: database"],
  [
    "a file that is no database",
    (data) => writeFileSync(join(data, "docket.db"), "hello"),
    "problem: database",
  ],
  [
    "data of a newer version",
    (data) =>
      query(
        data,
        "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)",
      ),
    "problem: database",
  ],
  [
    "damage that a server noted",
    (data) => writeFileSync(join(data, "docket.damaged"), "damaged\n"),
    "problem: database",
  ],
  [
    "a log that was not emptied",
    (data) => {
      writeFileSync(join(data, "docket.db-wal"), "");
      truncateSync(join(data, "docket.db-wal"), 70_000_000);
    },
    "problem: log",
  ],
  [
    "a damaged search index",
    (data) => writeFileSync(join(data, "search.db"), "hello"),
    "problem: search",
  ],
  ["stopped backups", (data) => ageCopies(data), "problem: backups"],
  [
    "a clock that was set back",
    (data) => query(data, `UPDATE server SET lease = ${Date.now() + DAY}`),
    "problem: clock",
  ],
  [
    "a server without an owner",
    (data) => query(data, "UPDATE account SET owner = 0"),
    "note: owner",
  ],
  [
    "a key that never expires",
    (data) => query(data, "UPDATE api_key SET expires_at = NULL"),
    "note: keys",
  ],
  [
    "a key that nobody uses",
    (data) => query(data, `UPDATE api_key SET created_at = ${Date.now() - 100 * DAY}`),
    "note: keys",
  ],
];

const ageCopies = (data: string): void => {
  const backups = join(data, "backups");
  const [name = ""] = [...new Bun.Glob("daily-*.db").scanSync(backups)];
  copyFileSync(join(backups, name), join(backups, nameOfCopy("daily", Date.now() - 5 * DAY)));
  Bun.spawnSync(["rm", join(backups, name)]);
};

describe("docket doctor finds, and invents nothing besides:", () => {
  for (const [name, plant, expected] of FAULTS)
    test(name, async () => {
      const { data } = await healthy();
      await plant(data);
      const { wrong } = await doctor(data, "--port", "9");
      expect(wrong.filter((one) => one !== NOT_RUNNING)).toEqual([expected]);
    });

  test("backups that are turned off", async () => {
    const { data } = await healthy();
    const { wrong } = await doctor(data, "--port", "9", "--backups", "off");
    expect(wrong).toEqual(["note: backups", NOT_RUNNING]);
  });

  test("a bucket that does not answer", async () => {
    const { data } = await healthy();
    const words = ["--port", "9", "--backups-s3", "http://key:secret@127.0.0.1:9/b"];
    const { wrong, shown } = await doctor(data, ...words);
    expect(wrong).toEqual(["problem: bucket", NOT_RUNNING]);
    expect(shown[0]?.found).toContain("http://127.0.0.1:9/b: nothing answers there.");
  });

  test("a directory without data", async () => {
    expect((await doctor(testDirectory())).wrong).toEqual(["problem: data"]);
  });

  test("a device whose clock is ahead", async () => {
    const { data, session } = await healthy();
    const server = await startServerProcess(data);
    const pushed = await send("POST", `${server.url()}/api/public/v1/sync`, {
      token: session,
      body: [
        {
          table: "sync_tasks",
          id: crypto.randomUUID(),
          updated_at: formatInstant(Date.now() + 2 * DAY),
          payload: { title: "tomorrow", pages: [] },
        },
      ],
    });
    expect(pushed.json["rejected"]).toMatchObject([{ reason: "clamped" }]);
    const { wrong, shown } = await doctor(data, "--port", new URL(server.url()).port);
    expect(wrong).toEqual(["problem: devices"]);
    expect(shown[0]?.found).toContain('"laptop"');
    await server.stop("SIGTERM");
  });

  test("a version that is newer, where releases are published, and that nobody can tell", async () => {
    const { data } = await healthy();
    let newest = "1.0.0";
    const releases = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) =>
        url.endsWith("/releases/SHA256SUMS")
          ? new Response(`${"0".repeat(64)}  docket-${newest}-linux-x64.tar.gz\n`)
          : new Response("not found", { status: 404 }),
    });
    const ask = async (path: string) => {
      const address = new URL(path, releases.url).href;
      const { wrong, shown } = await doctor(data, "--port", "9", "--newest", address);
      return [wrong.filter((one) => one !== NOT_RUNNING), shown.at(-1)?.found];
    };
    expect((await ask("/releases"))[0]).toEqual([]);
    newest = "1.10.0";
    const there = `Version 1.10.0 is there. This is ${VERSION}.`;
    expect(await ask("/releases/")).toEqual([["note: version"], there]);
    newest = "0.9.0";
    expect((await ask("/releases"))[0]).toEqual([]);
    const [wrong, found] = await ask("/elsewhere");
    expect([wrong, found]).toEqual([["note: version"], expect.stringContaining("cannot be read")]);
    await releases.stop(true);
  });

  test("a key of a certificate that is another's", async () => {
    const { data } = await healthy();
    const words = ["--tls-cert", fixture("tls-cert.pem"), "--tls-key", fixture("tls-rsa-key.pem")];
    expect((await doctor(data, "--port", "9", ...words)).wrong).toContain("problem: certificate");
  });

  testWith(["faketime"], "a certificate that has expired, here and outside", async () => {
    const { data } = await healthy();
    const { cert, key } = await expiredCertificate();
    const words = ["--tls-cert", cert, "--tls-key", key];
    const server = await serve(DOCKET, ["--data", data, "--log", "off", ...words]);
    const { wrong, shown } = await doctor(
      data,
      "--port",
      new URL(server.url).port,
      ...words,
      "--public-url",
      server.url.replace("127.0.0.1", "localhost"),
    );
    expect(wrong).toEqual(["problem: certificate", "problem: address", "problem: certificate"]);
    expect(shown[1]?.found).toContain("certificate");
    await server.stop();
  });
});

/** A proxy before the server that does something to what it passes on. */
const behind = async (
  spoil: (request: Request, pass: () => Promise<Response>) => Promise<Response>,
) => {
  const { data } = await healthy();
  const server = await startServerProcess(data);
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      return spoil(request, () =>
        fetch(`${server.url()}${pathname}${search}`, {
          method: request.method,
          headers: request.headers,
        }),
      );
    },
  });
  const words = ["--port", new URL(server.url()).port, "--public-url"];
  const found = await doctor(data, ...words, `http://localhost:${proxy.port}`);
  await proxy.stop(true);
  await server.stop("SIGTERM");
  const devices = query<{ name: string; revoked_at: number | null }>(data, "SELECT * FROM session");
  expect(devices.filter(({ revoked_at }) => revoked_at === null).map(({ name }) => name)).toEqual([
    "laptop",
  ]);
  return found.wrong;
};

describe("docket doctor asks at the public address, and finds", () => {
  // Each waits 25 s for its long poll.
  test("nothing wrong with a proxy that passes everything on; else what it spoils", async () => {
    const other = await startServerProcess(testDirectory());
    const found = await Promise.all([
      behind((_, pass) => pass()),
      behind(async () => new Response("<h1>It works!</h1>")),
      behind(async (_, pass) => {
        const reply = await pass();
        reply.headers.delete("access-control-allow-origin");
        return reply;
      }),
      behind((request, pass) =>
        request.method === "OPTIONS" ? Promise.resolve(new Response("", { status: 405 })) : pass(),
      ),
      behind((_, pass) =>
        Promise.race([pass(), Bun.sleep(3_000).then(() => new Response("", { status: 504 }))]),
      ),
      behind((request) => {
        const { pathname, search } = new URL(request.url);
        return fetch(`${other.url()}${pathname}${search}`, {
          method: request.method,
          headers: request.headers,
        });
      }),
    ]);
    await other.stop("SIGTERM");
    expect(found).toEqual([
      [],
      ["problem: address"],
      ["problem: extension"],
      ["problem: extension"],
      ["problem: long polls"],
      ["problem: address"],
    ]);
  });

  test("an address at which nobody answers, and a proxy that is not trusted", async () => {
    const { data } = await healthy();
    const server = await startServerProcess(data);
    const port = new URL(server.url()).port;
    const ask = async (url: string) =>
      (await doctor(data, "--port", port, "--public-url", url)).wrong;
    expect(await ask("http://localhost:9")).toEqual(["problem: address"]);
    expect(await ask("https://localhost:9")).toEqual(["problem: proxy", "problem: address"]);
    await server.stop("SIGTERM");
  });
});

const fixture = (name: string): string => join(import.meta.dir, "../fixtures", name);

/** A certificate for localhost that was valid for a day, years ago. */
const expiredCertificate = async () => {
  const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(testDirectory(), name));
  const made = Bun.spawnSync(
    [
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=localhost",
      "-keyout",
      `${key}`,
      "-out",
      `${cert}`,
    ],
    { env: { ...process.env, LD_PRELOAD: FAKETIME ?? "", FAKETIME: "2020-01-01 00:00:00" } },
  );
  expect(made.exitCode).toBe(0);
  return { cert: `${cert}`, key: `${key}` };
};
