import { describe, expect, test } from "bun:test";
import { addressOf, issuerOf, originOf } from "../../src/server/checks/request.ts";
import type { Settings } from "../../src/server/service.ts";
import { networks } from "../../src/domain/base/usage.ts";
import { SAYS, sharedServer } from "../support/replies.ts";
import { exchange, head } from "../support/socket.ts";

const PROXY = "10.0.0.7";
const PEER = "203.0.113.9";

const settings = (fields: Partial<Settings> = {}): Settings => ({
  hosts: new Set(),
  limits: { perMinute: 60, perHour: 600 },
  bodyMemory: 256 * 1024 * 1024,
  https: false,
  publicUrl: null,
  isProxy: networks(["10.0.0.0/8", "fd00::/8"]),
  defaultPlan: "pro",
  extensionRedirects: [],
  openId: null,
  ...fields,
});

const request = (headers: Readonly<Record<string, string>>): Request =>
  new Request("http://localhost/account", { headers });

const PUBLIC = settings({ publicUrl: new URL("https://docket.example.org/") });
const SECURE = settings({ https: true });
const PLAIN = settings();

describe("the origin of a request", () => {
  test.each<[string, Settings, string, Readonly<Record<string, string>>, string]>([
    [
      "is the host that was called",
      PLAIN,
      PEER,
      { host: "nas.local:3625" },
      "http://nas.local:3625",
    ],
    [
      "has no port that goes without saying",
      PLAIN,
      PEER,
      { host: "nas.local:80" },
      "http://nas.local",
    ],
    ["is written small", PLAIN, PEER, { host: "NAS.local" }, "http://nas.local"],
    ["may be an IPv6 address", PLAIN, PEER, { host: "[::1]:3625" }, "http://[::1]:3625"],
    ["has no zone", PLAIN, PEER, { host: "[fe80::1%25eth0]:3625" }, "http://[fe80::1]:3625"],
    [
      "keeps the final dot, as browsers do, and is https there too",
      PUBLIC,
      PEER,
      { host: "docket.example.org." },
      "https://docket.example.org.",
    ],
    ["is https where the server is", SECURE, PEER, { host: "nas.local:443" }, "https://nas.local"],
    [
      "is https at the public address's host",
      PUBLIC,
      PEER,
      { host: "Docket.example.org" },
      "https://docket.example.org",
    ],
    [
      "is that also where a proxy writes the port that goes without saying",
      PUBLIC,
      PEER,
      { host: "docket.example.org:443" },
      "https://docket.example.org",
    ],
    [
      "is http at another port of it",
      PUBLIC,
      PEER,
      { host: "docket.example.org:3625" },
      "http://docket.example.org:3625",
    ],
    ["is http at another host", PUBLIC, PEER, { host: "127.0.0.1:3625" }, "http://127.0.0.1:3625"],
    [
      "is https where a trusted proxy says so",
      PLAIN,
      PROXY,
      { host: "nas.local", "x-forwarded-proto": " HTTPS" },
      "https://nas.local",
    ],
    [
      "is not what anyone else says",
      PLAIN,
      PEER,
      { host: "nas.local", "x-forwarded-proto": "https", forwarded: "proto=https" },
      "http://nas.local",
    ],
    [
      "never has another host than the one that was called",
      PLAIN,
      PROXY,
      { host: "nas.local", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
      "http://nas.local",
    ],
  ])("%s", (_name, own, peer, headers, href) => {
    const origin = originOf(request(headers), peer, own);
    expect([origin.href, origin.secure]).toEqual([href, href.startsWith("https:")]);
  });

  test("is the OAuth issuer, unless there is a public address", () => {
    const origin = originOf(request({ host: "127.0.0.1:3625" }), PEER, PUBLIC);
    expect(issuerOf(origin, PLAIN)).toBe("http://127.0.0.1:3625");
    expect(issuerOf(origin, PUBLIC)).toBe("https://docket.example.org");
  });
});

describe("the client's address", () => {
  test.each<[string, string, string | null, string]>([
    ["is the connection's", PEER, null, PEER],
    ["is the connection's, whatever a stranger writes", PEER, "198.51.100.1", PEER],
    ["is the one that a trusted proxy saw", PROXY, "198.51.100.1", "198.51.100.1"],
    ["is the last that is no proxy's", PROXY, "1.1.1.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["is not what stands before it", PROXY, "10.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["is the proxy's where it saw nobody", PROXY, null, PROXY],
    ["is the first proxy's where there are only proxies", PROXY, "10.1.1.1, 10.2.2.2", "10.1.1.1"],
    ["is an IPv4 address also when it came by IPv6", "::ffff:203.0.113.9", null, PEER],
    [
      "is a trusted proxy's also when it came by IPv6",
      `::ffff:${PROXY}`,
      "198.51.100.1",
      "198.51.100.1",
    ],
    ["is an IPv6 address", "fd00::7", "2001:db8::1", "2001:db8::1"],
    ["is there without the port", PROXY, "198.51.100.1:5555", "198.51.100.1"],
    ["is there without the port and brackets", PROXY, "[2001:db8::1]:5555", "2001:db8::1"],
    ["leaves empty places out", PROXY, "198.51.100.1, ,", "198.51.100.1"],
    ["is the proxy's where it wrote no address", PROXY, "198.51.100.1, unknown", PROXY],
  ])("%s", (_name, peer, forwarded, address) => {
    const headers = forwarded === null ? {} : { "x-forwarded-for": forwarded };
    expect(addressOf(request(headers), peer, PLAIN)).toBe(address);
  });

  test("is the connection's if no proxy is trusted", () => {
    const nobody = settings({ isProxy: networks([]) });
    expect(addressOf(request({ "x-forwarded-for": "198.51.100.1" }), PROXY, nobody)).toBe(PROXY);
  });
});

const server = await sharedServer();

describe("a page requested under a name that is not the server's", () => {
  test.each([
    ["another site's name", "evil.example"],
    ["one that begins like an address", "127.0.0.1.evil.example"],
    ["a user before the name", "localhost@evil.example"],
    ["two names", "localhost, evil.example"],
    ["a port that cannot be", "localhost:65536"],
    ["no name", ""],
  ])("%s gets 421", async (_name, host) => {
    for (const method of ["GET", "POST"]) {
      const fields = [`Host: ${host}`, "Content-Length: 0"];
      const { status, body } = await exchange(server.url, [head(`${method} /sign-in`, ...fields)]);
      expect([status, body]).toEqual([421, JSON.stringify({ error: SAYS.host })]);
    }
  });
});
