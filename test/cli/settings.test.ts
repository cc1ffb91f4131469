import { describe, expect, test } from "bun:test";
import { homedir } from "node:os";
import { join } from "node:path";
import { FROM_SOURCE, run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import type { Environment, Flags } from "../../src/config.ts";
import { settingsReader } from "./_settings.ts";

const FILES: Readonly<Record<string, string>> = {
  "/run/port": "4000\n",
  "/cert.pem": "CERT",
  "/key.pem": "KEY",
};

const { config, refusal } = settingsReader(FILES);

describe("settings", () => {
  test("without any, the server is for this machine alone", () => {
    expect(config({})).toEqual({
      host: "127.0.0.1",
      port: 3625,
      data: join(homedir(), ".local/share/docket"),
      publicUrl: null,
      allowedHosts: [],
      defaultPlan: "pro",
      ratePerMinute: 60,
      ratePerHour: 600,
      isProxy: expect.any(Function),
      extensionRedirects: [],
      openId: null,
      log: null,
      tls: null,
    });
  });

  test("a flag goes before its variable, that before a file it names, that before the default", () => {
    expect(config({ port: "1" }, { DOCKET_PORT: "2" }).port).toBe(1);
    expect(config({}, { DOCKET_PORT: "2" }).port).toBe(2);
    expect(config({}, { DOCKET_PORT_FILE: "/run/port" }).port).toBe(4000);
    expect(config({}, { DOCKET_PORT: "" }).port).toBe(3625);
  });

  test("a port that an orchestrator injected is no port", () => {
    expect(config({}, { DOCKET_PORT: "tcp://10.0.0.7:3625" }).port).toBe(3625);
  });

  test("nor is what it sets beside it an unknown setting", () => {
    const environment = {
      DOCKET_PORT: "tcp://10.0.0.7:3625",
      DOCKET_SERVICE_HOST: "10.0.0.7",
      DOCKET_SERVICE_PORT_HTTP: "3625",
      DOCKET_PORT_3625_TCP_ADDR: "10.0.0.7",
    };
    expect(refusal({}, environment)).toBe("accepted");
  });

  test("the data directory follows XDG, where that is a whole path", () => {
    expect(config({}, { XDG_DATA_HOME: "/srv/share" }).data).toBe("/srv/share/docket");
    expect(config({}, { XDG_DATA_HOME: "share" }).data).toBe(
      join(homedir(), ".local/share/docket"),
    );
  });

  test("names of hosts are split and lower-cased, a certificate is read with its key", () => {
    expect(config({ "allowed-hosts": "NAS.local, docket" }).allowedHosts).toEqual([
      "nas.local",
      "docket",
    ]);
    expect(config({ "tls-cert": "/cert.pem", "tls-key": "/key.pem" }).tls).toEqual({
      cert: "CERT",
      key: "KEY",
    });
  });

  test("what another command knows is known to all", () => {
    expect(refusal({}, { DOCKET_API_KEY: "x", DOCKET_URL: "http://localhost:3625" })).toBe(
      "accepted",
    );
  });

  test.each<[string, Flags, Environment, string]>([
    [
      "a misspelt variable",
      {},
      { DOCKET_PROT: "1" },
      "There is no setting DOCKET_PROT: mend its name or unset it. `docket help` lists all.",
    ],
    [
      "a port that is none",
      { port: "http" },
      {},
      'port must be a whole number from 0 to 65535, not "http".',
    ],
    [
      "a port too high",
      { port: "65536" },
      {},
      'port must be a whole number from 0 to 65535, not "65536".',
    ],
    [
      "a plan that is none",
      {},
      { DOCKET_DEFAULT_PLAN: "gold" },
      'default-plan must be free or pro, not "gold".',
    ],
    [
      "a rate of nothing",
      { "rate-per-hour": "0" },
      {},
      'rate-per-hour must be a whole number from 1 to 100000, not "0".',
    ],
    [
      "a log form that is none",
      { log: "xml" },
      {},
      'log must be pretty or json or off, not "xml".',
    ],
    [
      "an address that is none",
      { "public-url": "nas.local" },
      {},
      'public-url must be an http:// or https:// address, not "nas.local".',
    ],
    [
      "an address with a path",
      { "public-url": "https://example.org/docket" },
      {},
      "public-url must be an address without a path, as https://example.org.",
    ],
    [
      "a certificate without key",
      { "tls-cert": "/cert.pem" },
      {},
      "tls-cert and tls-key go together: give both.",
    ],
    [
      "a setting given twice",
      {},
      { DOCKET_PORT: "1", DOCKET_PORT_FILE: "/run/port" },
      "DOCKET_PORT and DOCKET_PORT_FILE are both set: keep one.",
    ],
  ])("%s is refused with what to do", (_name, flags, environment, message) => {
    expect(refusal(flags, environment)).toBe(message);
  });
});

describe("wrong usage ends with 2 and says what is right", () => {
  test.each<[string, readonly string[], string]>([
    [
      "an unknown command",
      ["frobnicate"],
      'docket: There is no command "frobnicate": `docket help` lists all.\n',
    ],
    [
      "half a command",
      ["key"],
      "docket: There are these: docket key create, docket key list, docket key revoke.\n",
    ],
    [
      "an unknown flag",
      ["version", "--colour"],
      "docket: Unknown option '--colour'. Usage: docket version\n",
    ],
    [
      "a missing word",
      ["account", "add"],
      "docket: Usage: docket account add EMAIL [--password-stdin]\n",
    ],
    ["a missing flag", ["key", "create"], "docket: --name is missing.\n"],
    [
      "an e-mail that is none",
      ["account", "add", "ann"],
      'docket: "ann" is not an e-mail address.\n',
    ],
    [
      "scopes that are none",
      ["key", "create", "--name", "x", "--scopes", "delete"],
      "docket: --scopes must be read, write or read,write.\n",
    ],
    [
      "a lifetime that is none",
      ["key", "create", "--name", "x", "--expires", "soon"],
      "docket: --expires must be a time as 12h or 90d, or never.\n",
    ],
    [
      "a file that is not there",
      ["serve", "--tls-cert", "/nowhere", "--tls-key", "/nowhere"],
      "docket: The file /nowhere cannot be read.\n",
    ],
  ])("%s", async (_name, words, err) => {
    const env = { XDG_DATA_HOME: testDirectory() };
    expect(await run(FROM_SOURCE, words, { env })).toEqual({ code: 2, out: "", err });
  });

  test("a misspelt variable stops every command", async () => {
    const { code, err } = await run(FROM_SOURCE, ["version"], { env: { DOCKET_PROT: "1" } });
    expect([code, err]).toEqual([
      2,
      "docket: There is no setting DOCKET_PROT: mend its name or unset it. `docket help` lists all.\n",
    ]);
  });

  test("help and version answer on standard output", async () => {
    for (const words of [["help"], ["--help"], []]) {
      const { code, out } = await run(FROM_SOURCE, words);
      expect([code, out.includes("docket serve")]).toEqual([0, true]);
    }
    expect((await run(FROM_SOURCE, ["version"])).out).toMatch(/^docket \d+\.\d+\.\d+\n$/);
  });
});
