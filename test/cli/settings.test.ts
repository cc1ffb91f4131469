import { describe, expect, test } from "bun:test";
import { homedir } from "node:os";
import { join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import type { Environment, Flags } from "../../src/config/settings.ts";
import { settingsReader } from "../support/cli/settings.ts";

const FILES: Readonly<Record<string, string>> = {
  "/run/port": "4000\n",
  "/cert.pem": "CERT",
  "/key.pem": "KEY",
};

const { config, refusal } = settingsReader(FILES);

describe("settings", () => {
  test("by default, the server listens only on this machine", () => {
    expect(config({})).toEqual({
      host: "127.0.0.1",
      port: 3625,
      data: join(homedir(), ".local/share/docket"),
      database: null,
      backups: join(homedir(), ".local/share/docket/backups"),
      backupsS3: null,
      drills: false,
      publicUrl: null,
      allowedHosts: [],
      defaultPlan: "pro",
      ratePerMinute: 60,
      ratePerHour: 600,
      accountQuota: null,
      bodyMemory: 256,
      isProxy: expect.any(Function),
      extensionRedirects: [],
      openId: null,
      log: null,
      metrics: null,
      tls: null,
    });
  });

  test("a flag wins over its variable, and a variable or the file it names wins over the default", () => {
    expect(config({ port: "1" }, { DOCKET_PORT: "2" }).port).toBe(1);
    expect(config({}, { DOCKET_PORT: "2" }).port).toBe(2);
    expect(config({}, { DOCKET_PORT_FILE: "/run/port" }).port).toBe(4000);
    expect(config({}, { DOCKET_PORT: "" }).port).toBe(3625);
  });

  test("a DOCKET_PORT set by an orchestrator is ignored", () => {
    expect(config({}, { DOCKET_PORT: "tcp://10.0.0.7:3625" }).port).toBe(3625);
  });

  test("the other variables set by an orchestrator are ignored too", () => {
    const environment = {
      DOCKET_PORT: "tcp://10.0.0.7:3625",
      DOCKET_SERVICE_HOST: "10.0.0.7",
      DOCKET_SERVICE_PORT_HTTP: "3625",
      DOCKET_PORT_3625_TCP_ADDR: "10.0.0.7",
    };
    expect(refusal({}, environment)).toBe("accepted");
  });

  test("the data directory follows XDG_DATA_HOME if that is an absolute path", () => {
    expect(config({}, { XDG_DATA_HOME: "/srv/share" }).data).toBe("/srv/share/docket");
    expect(config({}, { XDG_DATA_HOME: "share" }).data).toBe(
      join(homedir(), ".local/share/docket"),
    );
  });

  test("host names are split and lower-cased, and a certificate is read with its key", () => {
    expect(config({ "allowed-hosts": "NAS.local, docket" }).allowedHosts).toEqual([
      "nas.local",
      "docket",
    ]);
    expect(config({ "tls-cert": "/cert.pem", "tls-key": "/key.pem" }).tls?.()).toEqual({
      cert: "CERT",
      key: "KEY",
    });
  });

  test("host names become what browsers send", () => {
    const names = "bücher.lan, NAS.Local, my_nas, [::1], fe80::1%eth0, 10.0.0.7";
    expect(config({ "allowed-hosts": names }).allowedHosts).toEqual([
      "xn--bcher-kva.lan",
      "nas.local",
      "my_nas",
      "::1",
      "fe80::1%eth0",
      "10.0.0.7",
    ]);
    expect(config({ host: "[::1]" }).host).toBe("::1");
    expect(config({ host: "Bücher.lan" }).host).toBe("xn--bcher-kva.lan");
    expect(config({ "public-url": "https://Bücher.lan/" }).publicUrl?.hostname).toBe(
      "xn--bcher-kva.lan",
    );
  });

  test.each([
    ["nas.local:3625", "nas.local"],
    ["http://nas.local", "nas.local"],
    ["https://NAS.local:3625/tasks", "nas.local"],
    ["ann:secret@nas.local", "nas.local"],
    ["nas.local/tasks", "nas.local"],
    ["nas.local.", "nas.local"],
    ["nas.local docket", "nas.local"],
    ["bücher.lan:3625", "xn--bcher-kva.lan"],
    ["10.0.0.7:3625", "10.0.0.7"],
    ["10.0.0.0/8", "10.0.0.0"],
    ["[::1]:3625", "::1"],
    ["nas..local", "nas.local"],
    ["nas;docket", "nas.local"],
    ["10.0.7", "nas.local"],
    [`${"x".repeat(64)}.lan`, "nas.local"],
  ])("a host name %s is refused, and the message says the right form", (name, right) => {
    for (const setting of ["allowed-hosts", "host"])
      expect(refusal({ [setting]: name })).toBe(
        `${setting} must be a host name or IP address alone, such as ${right}, not "${name}".`,
      );
  });

  test.each([
    ["*.lan", "docket.lan"],
    [".lan", "docket.lan"],
    ["*", "docket.lan"],
    ["*.example.org", "docket.example.org"],
  ])("a host name with a wildcard, %s, is refused", (name, right) => {
    const refused = `takes no wildcards. Write each name in full, such as ${right}, not "${name}".`;
    expect(refusal({ "allowed-hosts": name })).toBe(`allowed-hosts ${refused}`);
    expect(refusal({ host: name })).toBe(`host ${refused}`);
    expect(refusal({ "public-url": `https://${name}/` })).toBe(`public-url ${refused}`);
  });

  test("a password or secret has its signs as codes", () => {
    const given = {
      database: "postgres://ann:a%2Fb%25@127.0.0.1/docket",
      "backups-s3": "https://KEY:a%2Fb%25+%40@s3.example/b/nas",
    };
    expect(config({ database: given.database }).database).toBe(given.database);
    expect(config({ "backups-s3": given["backups-s3"] }).backupsS3).toMatchObject({
      accessKeyId: "KEY",
      secretAccessKey: "a/b%+@",
      bucket: "b",
      prefix: "nas",
    });
    const [database, bucket] = ["postgres://ann@db.example/a@b", "https://K:S@s3.example/b/a@b"];
    expect(config({ database }).database).toBe(database);
    expect(config({ "backups-s3": bucket }).backupsS3?.prefix).toBe("a@b");
    for (const secret of ["a/b", "1/b", "a%b", "a%ffb"])
      for (const [setting, text] of Object.entries(given))
        expect(refusal({ [setting]: text.replace(/:a[^@]*@/, `:${secret}@`) })).toMatch(
          /^(?:database|backups-s3) must be .* Write \/ \? # @ and % in a password or secret as %2F %3F %23 %40 and %25\.$/,
        );
  });

  test("every command accepts the variables of the others", () => {
    expect(refusal({}, { DOCKET_API_KEY: "x", DOCKET_URL: "http://localhost:3625" })).toBe(
      "accepted",
    );
  });

  test.each<[string, Flags, Environment, string]>([
    [
      "a misspelt variable",
      {},
      { DOCKET_PROT: "1" },
      "There is no setting DOCKET_PROT. Correct its name or unset it. `docket help` lists all settings.",
    ],
    [
      "a port that is not a number",
      { port: "http" },
      {},
      'port must be a whole number from 0 to 65535, not "http".',
    ],
    [
      "a port that is too high",
      { port: "65536" },
      {},
      'port must be a whole number from 0 to 65535, not "65536".',
    ],
    [
      "an unknown plan",
      {},
      { DOCKET_DEFAULT_PLAN: "gold" },
      'default-plan must be free or pro, not "gold".',
    ],
    [
      "a rate of zero",
      { "rate-per-hour": "0" },
      {},
      'rate-per-hour must be a whole number from 1 to 100000, not "0".',
    ],
    ["an unknown log format", { log: "xml" }, {}, 'log must be pretty or json or off, not "xml".'],
    [
      "an address without http:// or https://",
      { "public-url": "nas.local" },
      {},
      'public-url must be an http:// or https:// address, not "nas.local".',
    ],
    [
      "an address with a path",
      { "public-url": "https://example.org/docket" },
      {},
      "public-url must be an address without a path, such as https://example.org.",
    ],
    [
      "a certificate without a key",
      { "tls-cert": "/cert.pem" },
      {},
      "tls-cert and tls-key belong together. Set both.",
    ],
    [
      "a variable that is set together with its file",
      {},
      { DOCKET_PORT: "1", DOCKET_PORT_FILE: "/run/port" },
      "DOCKET_PORT and DOCKET_PORT_FILE are both set. Keep only one of them.",
    ],
  ])("%s is refused, and the message says what to do", (_name, flags, environment, message) => {
    expect(refusal(flags, environment)).toBe(message);
  });
});

describe("wrong usage exits with 2 and explains the right usage", () => {
  test.each<[string, readonly string[], string]>([
    [
      "an unknown command",
      ["frobnicate"],
      'docket: There is no command "frobnicate". Run `docket help` to see all commands.\n',
    ],
    [
      "an incomplete command",
      ["key"],
      "docket: This command is incomplete. Use one of these: docket key create, docket key list, docket key revoke.\n",
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
    ["a missing flag", ["key", "create"], "docket: --name is required.\n"],
    ["an empty flag", ["move", "--to", ""], "docket: --to is required.\n"],
    [
      "a move to where the data are",
      ["move", "--data", "/srv/docket", "--to", "/srv/docket/"],
      "docket: The data are there already. Name another place with --to.\n",
    ],
    [
      "an invalid e-mail address",
      ["account", "add", "ann"],
      'docket: "ann" is not an e-mail address.\n',
    ],
    [
      "an unknown scope",
      ["key", "create", "--name", "x", "--scopes", "delete"],
      "docket: --scopes must be read, write or read,write.\n",
    ],
    [
      "an invalid lifetime",
      ["key", "create", "--name", "x", "--expires", "soon"],
      "docket: --expires must be a length of time such as 12h or 90d, or never.\n",
    ],
    [
      "a file that does not exist",
      ["serve", "--tls-cert", "/nowhere", "--tls-key", "/nowhere"],
      "docket: The file /nowhere cannot be read. Check its name and its permissions.\n",
    ],
  ])("%s", async (_name, words, err) => {
    const env = { XDG_DATA_HOME: testDirectory() };
    expect(await run(DOCKET, words, { env })).toEqual({ code: 2, out: "", err });
  });

  test("a misspelt variable stops every command", async () => {
    const { code, err } = await run(DOCKET, ["version"], { env: { DOCKET_PROT: "1" } });
    expect([code, err]).toEqual([
      2,
      "docket: There is no setting DOCKET_PROT. Correct its name or unset it. `docket help` lists all settings.\n",
    ]);
  });

  test("help and version print to standard output", async () => {
    for (const words of [["help"], ["--help"], []]) {
      const { code, out } = await run(DOCKET, words);
      expect([code, out.includes("docket serve")]).toEqual([0, true]);
    }
    expect((await run(DOCKET, ["version"])).out).toMatch(/^docket \d+\.\d+\.\d+\n$/);
  });
});
