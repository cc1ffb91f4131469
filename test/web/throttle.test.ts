import { describe, expect, onTestFinished, test } from "bun:test";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { networks } from "../../src/domain/base/usage.ts";
import {
  type ServerOptions,
  startServer,
  testDirectory,
  type TestServer,
} from "../support/server.ts";
import { PASSWORD, someoneSignedIn, type Visitor, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const start = async (options: ServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options);
  onTestFinished(() => server.stop());
  return server;
};

/** A server behind a proxy at 127.0.0.1, so that a test can come from any address it names. */
const behindProxy = () => start({ settings: { isProxy: networks(["127.0.0.1", "10.0.0.0/8"]) } });

/** One attempt from an address. Returns its status. */
const tryFrom = async (
  server: TestServer,
  from: string,
  email: string,
  password = "wrong password",
): Promise<number> => {
  const headers = { origin: server.url, "x-forwarded-for": from };
  return (await visitor(server).post("/sign-in", { email, password }, headers)).status;
};

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

/** Many attempts, over fifty connections at a time. Returns their statuses, in order. */
const inParallel = async (
  tries: number,
  work: (at: number) => Promise<number>,
): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let first = 0; first < tries; first += 50)
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, (_, at) => work(first + at)))));
  return statuses;
};

/** Guesses until told to wait. */
const exhaust = async (stranger: Visitor, email: string): Promise<void> => {
  for (let tries = 0; tries < 10; tries++)
    expect((await stranger.post("/sign-in", { email, password: "wrong" })).status).toBe(422);
  expect((await stranger.post("/sign-in", { email, password: PASSWORD })).status).toBe(429);
};

describe("guessing", () => {
  test("at one e-mail gets ten attempts, over any number of connections and addresses", async () => {
    const server = await behindProxy();
    const ann = await someoneSignedIn(server);
    const statuses = await inParallel(200, (at) =>
      tryFrom(server, `198.51.100.${at}`, ann.account.email, at === 150 ? PASSWORD : "wrong"),
    );
    expect([count(statuses, 422), count(statuses, 429)]).toEqual([10, 190]);
  });

  test("from one address gets thirty attempts, over any number of connections and e-mails", async () => {
    const server = await start();
    const statuses = await inParallel(150, (at) => tryFrom(server, "", `${at}@example.org`));
    expect(count(statuses, 422)).toBe(30);
    expect(new Set(statuses)).toEqual(new Set([422, 429, 503]));
  });

  test("is not helped by X-Forwarded-For if no proxy is trusted", async () => {
    const server = await start();
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++)
      statuses.push(await tryFrom(server, `198.51.100.${at}`, `${at}@example.org`));
    expect([count(statuses, 422), count(statuses, 429)]).toEqual([30, 10]);
  });

  test("is not helped by what X-Forwarded-For contains before the proxies' own entries", async () => {
    const server = await behindProxy();
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++)
      statuses.push(
        await tryFrom(server, `203.0.113.${at}, 198.51.100.1, 10.0.0.${at}`, `${at}@example.org`),
      );
    expect([count(statuses, 422), count(statuses, 429)]).toEqual([30, 10]);
    expect(await tryFrom(server, "198.51.100.2, 10.0.0.9", "ann@example.org")).toBe(422);
  });

  test("from many addresses of one IPv6 network counts as from one", async () => {
    const server = await behindProxy();
    const ways = ["2001:db8:0:7::", "2001:DB8::7:0:0:0:", "2001:0db8:0000:0007:a:b:c:"];
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++)
      statuses.push(await tryFrom(server, `${ways[at % 3]}${at}`, `${at}@example.org`));
    expect([count(statuses, 422), count(statuses, 429)]).toEqual([30, 10]);
    expect(await tryFrom(server, "2001:db8:0:8::1", "ann@example.org")).toBe(422);
  });

  test("is still counted after a restart", async () => {
    const directory = testDirectory();
    const before = await startServer({ directory });
    const ann = await someoneSignedIn(before);
    await exhaust(visitor(before), ann.account.email);
    await before.stop();
    const after = await start({ directory });
    const form = { email: ann.account.email, password: PASSWORD };
    const seen = await visitor(after).post("/sign-in", form);
    expect([seen.status, seen.headers.get("retry-after")]).toEqual([429, "15"]);
  });
});

describe("someone who has to wait", () => {
  test("is told how long, which doubles each time, up to 15 minutes", async () => {
    const server = await start();
    const stranger = visitor(server);
    await exhaust(stranger, "ann@example.org");
    const form = { email: "ann@example.org", password: "wrong" };
    for (const seconds of [15, 30, 60, 120, 240, 480, 900]) {
      const seen = await stranger.post("/sign-in", form);
      expect([seen.status, seen.headers.get("retry-after"), seen.text]).toEqual([
        429,
        String(seconds),
        expect.stringContaining(
          `Too many attempts to sign in have failed. Try again in ${seconds} s.`,
        ),
      ]);
      server.clock.advance(seconds * SECOND);
      expect((await stranger.post("/sign-in", form)).status).toBe(422);
    }
  });

  test("gets in with the right password after that", async () => {
    const server = await start();
    const ann = await someoneSignedIn(server);
    const stranger = visitor(server);
    await exhaust(stranger, ann.account.email);
    server.clock.advance(15 * SECOND);
    const form = { email: ann.account.email, password: PASSWORD };
    expect((await stranger.post("/sign-in", form)).status).toBe(303);
  });

  test("waits just as long if there is no such account", async () => {
    const server = await start();
    const stranger = visitor(server);
    for (let tries = 0; tries < 10; tries++)
      await stranger.post("/sign-in", { email: "nobody@example.org", password: "wrong" });
    const seen = await stranger.post("/sign-in", { email: "nobody@example.org", password: "x" });
    expect([seen.status, seen.headers.get("retry-after")]).toEqual([429, "15"]);
  });
});

describe("the right password", () => {
  test("resets the count of its e-mail, but not that of its address", async () => {
    const server = await behindProxy();
    const ann = await someoneSignedIn(server);
    const from = "198.51.100.1";
    for (let at = 0; at < 29; at++)
      expect(await tryFrom(server, from, at < 9 ? ann.account.email : `${at}@e.example`)).toBe(422);
    expect(await tryFrom(server, from, ann.account.email, PASSWORD)).toBe(303);
    for (let tries = 0; tries < 10; tries++)
      expect(await tryFrom(server, "198.51.100.2", ann.account.email)).toBe(422);
    expect(await tryFrom(server, from, "bob@example.org")).toBe(422);
    expect(await tryFrom(server, from, "bob@example.org")).toBe(429);
  });

  test("lets a known browser in, however much strangers guess", async () => {
    const server = await start();
    const ann = await someoneSignedIn(server);
    const form = { email: ann.account.email, password: PASSWORD };
    expect((await ann.post("/sign-in", form)).status).toBe(303);
    await ann.post("/sign-out");
    const stranger = visitor(server);
    await exhaust(stranger, ann.account.email);
    expect((await ann.post("/sign-in", form)).status).toBe(303);
    expect((await stranger.post("/sign-in", form)).status).toBe(429);
  });

  test("cannot be guessed endlessly by a known browser, or by one known to another account", async () => {
    const server = await start();
    const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
    await bob.post("/sign-in", { email: bob.account.email, password: PASSWORD });
    await exhaust(visitor(server), ann.account.email);
    const form = { email: ann.account.email, password: PASSWORD };
    expect((await bob.post("/sign-in", form)).status).toBe(429);
    server.clock.advance(MINUTE);
    await ann.post("/sign-in", form);
    await exhaust(ann, ann.account.email);
  });
});
