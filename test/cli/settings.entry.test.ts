import { describe, expect, test } from "bun:test";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import type { Flags } from "../../src/config/settings.ts";
import { settingsReader } from "../support/cli/settings.ts";

const FILES: Readonly<Record<string, string>> = { "/run/secret": "from the file\n" };

const { config, refusal } = settingsReader(FILES);

describe("trusted proxies", () => {
  test.each([
    ["10.0.0.7", ["10.0.0.7"], ["10.0.0.8", "::1"]],
    ["10.0.0.0/8, 127.0.0.1", ["10.255.1.2", "127.0.0.1"], ["11.0.0.1", "127.0.0.2"]],
    ["fd00::/8,::1", ["fd12::1", "::1"], ["fe80::1", "2001:db8::1", "10.0.0.1"]],
    ["10.0.0.0/31", ["10.0.0.0", "10.0.0.1"], ["10.0.0.2"]],
    ["0.0.0.0/0", ["203.0.113.9"], ["2001:db8::1"]],
    ["[::1], [fd00::]/8", ["::1", "fd00::1"], ["::2"]],
  ])("%s trusts exactly the addresses in it", (networks, trusted, others) => {
    const { isProxy } = config({ "trusted-proxies": networks });
    expect(trusted.filter((address) => !isProxy(address))).toEqual([]);
    expect([...others, "", "unknown", "10.0.0.7.evil.example"].filter(isProxy)).toEqual([]);
  });

  test("are none by default, not even this machine", () => {
    expect(["127.0.0.1", "::1", "10.0.0.1"].filter(config({}).isProxy)).toEqual([]);
  });

  test.each([
    "proxy.local",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "fd00::/129",
    "10.0.0",
    "10.0.0.1:80",
    "[::1]:80",
    "0.0.0.0",
    "::",
    "*",
  ])("%s is refused", (network) => {
    expect(refusal({ "trusted-proxies": `127.0.0.1,${network}` })).toBe(
      `trusted-proxies must be IP addresses, or networks such as 10.0.0.0/8, not "${network}".`,
    );
  });
});

describe("redirect addresses of extensions", () => {
  test("are kept character by character", () => {
    const redirects = ["https://abc.chromiumapp.org/", "http://127.0.0.1:8000/back?x=Y"];
    expect(config({ "extension-redirects": redirects.join(" , ") }).extensionRedirects).toEqual(
      redirects,
    );
  });

  test.each([
    "abc.chromiumapp.org",
    "https://abc.chromiumapp.org",
    "https://ABC.chromiumapp.org/",
    "https://abc.chromiumapp.org:443/",
    "https://abc.chromiumapp.org/#x",
    "https://abc.chromiumapp.org/a/../b",
    "javascript:alert(1)",
    "chrome-extension://abc/",
    "https://ann@abc.chromiumapp.org/",
  ])("%s is refused, since browsers write addresses differently", (address) => {
    expect(refusal({ "extension-redirects": address })).toBe(
      `extension-redirects must be full addresses such as https://ID.chromiumapp.org/, not "${address}".`,
    );
  });
});

test("A redirect address has no wildcard", () => {
  expect(refusal({ "extension-redirects": "https://*.chromiumapp.org/" })).toBe(
    'extension-redirects takes no wildcards. Write each name in full, such as docket.chromiumapp.org, not "*.chromiumapp.org".',
  );
});

const flags = { "oidc-issuer": "https://id.example.org", "oidc-client-id": "docket" };
const all = (issuer: string): Flags => ({
  ...flags,
  "oidc-client-secret": "x",
  "oidc-issuer": issuer,
});

describe("an OpenID provider", () => {
  test("needs an issuer, a client ID and a client secret, which may be in a file", () => {
    const environment = { DOCKET_OIDC_CLIENT_SECRET_FILE: "/run/secret" };
    expect(config(flags, environment).openId).toEqual({
      issuer: new URL("https://id.example.org"),
      clientId: "docket",
      clientSecret: "from the file",
    });
    expect(config({}).openId).toBeNull();
  });

  test.each<[string, Flags]>([
    ["without a secret", flags],
    ["without a client ID", { "oidc-issuer": "https://id.example.org", "oidc-client-secret": "x" }],
    ["without an issuer", { "oidc-client-id": "docket", "oidc-client-secret": "x" }],
  ])("%s is refused", (_name, some) => {
    expect(refusal(some)).toBe(
      "oidc-issuer, oidc-client-id and oidc-client-secret belong together. Set all three.",
    );
  });

  test("must use https unless it is on this machine", () => {
    for (const issuer of [
      "http://id.example.org",
      "http://127.0.0.1.evil.example",
      "http://localhost.evil.example",
    ])
      expect(refusal(all(issuer))).toBe(
        "oidc-issuer must be an https:// address unless it is on this machine.",
      );
    for (const issuer of [
      "http://localhost:8080/realm",
      "http://127.0.0.1:8080",
      "http://[::1]:8080",
    ])
      expect(refusal(all(issuer))).toBe("accepted");
    expect(refusal(all("id.example.org"))).toBe(
      'oidc-issuer must be an http:// or https:// address, not "id.example.org".',
    );
  });
});

test.each([
  "https://docket:x@id.example.org/realm",
  "https://id.example.org/realm?x",
  "https://id.example.org/realm#x",
])("An OpenID provider cannot be at %s, since no provider has that name", (issuer) => {
  expect(refusal(all(issuer))).toBe(
    "oidc-issuer must be an address without a password, a query or a fragment, such as https://id.example.org/realm.",
  );
});

test("each of these settings has a variable and is in the help", async () => {
  const { out } = await run(DOCKET, ["help"], {
    env: {
      DOCKET_TRUSTED_PROXIES: "10.0.0.0/8",
      DOCKET_EXTENSION_REDIRECTS: "https://abc.chromiumapp.org/",
      DOCKET_OIDC_ISSUER: "https://id.example.org",
      DOCKET_OIDC_CLIENT_ID: "docket",
      DOCKET_OIDC_CLIENT_SECRET: "x",
    },
  });
  for (const name of [
    "trusted-proxies",
    "extension-redirects",
    "oidc-issuer",
    "oidc-client-id",
    "oidc-client-secret",
  ])
    expect(out).toContain(`  --${name} `);
  expect(out).toContain("  docket owner link ");
});

test("a wrong setting stops the server before it creates anything", async () => {
  const data = testDirectory();
  const words = ["serve", "--data", data, "--trusted-proxies", "proxy.local"];
  expect(await run(DOCKET, words)).toEqual({
    code: 2,
    out: "",
    err: 'docket: trusted-proxies must be IP addresses, or networks such as 10.0.0.0/8, not "proxy.local".\n',
  });
});
