import { chownSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAMS } from "../support/postgres.ts";

// Machines of a group, each with processes and a network card of its own: two with PostgreSQL under Patroni, three with a
// server of Docket, and this one with etcd and HAProxy. Needs root, and Debian's etcd-server, haproxy, patroni and postgresql.

const NET = "10.77.0";
/** This machine, at which the group is reached. */
export const HERE = `${NET}.1`;

export type Machine = {
  readonly name: string;
  readonly address: string;
  /** Starts what runs on it. */
  readonly start: () => void;
  /** Kills all that runs on it, at once. */
  readonly kill: () => Promise<void>;
  /** Pulls the network cable out of it, or puts it back. */
  readonly cut: (isCut: boolean) => void;
};

const must = (...command: string[]): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString().trim();
};

const folder = mkdtempSync(join(tmpdir(), "docket-machines-"));
const [user, group] = [Number(must("id", "-u", "postgres")), Number(must("id", "-g", "postgres"))];
/** The words of a command. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const asPostgres = words(
  `setpriv --reuid=${user} --regid=${group} --clear-groups env HOME=${folder}`,
);

/** Makes a folder for a machine's data, which PostgreSQL may use. */
const room = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, user, group);
  return path;
};

const spawn = (
  name: string,
  command: readonly string[],
  env: Record<string, string> = {},
): void => {
  const log = Bun.file(join(folder, `${name}.log`));
  const child = Bun.spawn([...command], {
    stdin: "ignore",
    stdout: log,
    stderr: log,
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  child.unref();
};

const machine = (
  name: string,
  number: number,
  command: readonly string[],
  env: Record<string, string> = {},
): Machine => {
  const [space, card] = [`dkt-${name}`, `dkt-${name}`];
  must("ip", "netns", "add", space);
  must("ip", "link", "add", card, "type", "veth", "peer", "name", "eth0", "netns", space);
  must("ip", "link", "set", card, "master", "dkt", "up");
  must("ip", "-n", space, "addr", "add", `${NET}.${number}/24`, "dev", "eth0");
  must("ip", "-n", space, "link", "set", "eth0", "up");
  must("ip", "-n", space, "link", "set", "lo", "up");
  const inside = (): string => must("ip", "netns", "pids", space).replaceAll("\n", " ");
  return {
    name,
    address: `${NET}.${number}`,
    start: () => spawn(name, ["ip", "netns", "exec", space, ...command], env),
    kill: async () => {
      for (let pids = inside(); pids !== ""; pids = inside()) {
        Bun.spawnSync(["kill", "-9", ...pids.split(" ")]);
        await Bun.sleep(20);
      }
    },
    cut: (isCut) => void must("ip", "link", "set", card, isCut ? "down" : "up"),
  };
};

const login = (username: string) => ({ username, password: "correct horse" });

const patroni = (name: string, number: number): Machine => {
  const [file, address] = [join(folder, `${name}.yml`), `${NET}.${number}`];
  const own = room(name);
  const settings = {
    scope: "docket",
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: [`${HERE}:2379`] },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 60, wal_keep_size: "1GB" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
      pg_hba: [
        "local all all trust",
        `host all all ${NET}.0/24 trust`,
        `host replication all ${NET}.0/24 trust`,
      ],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(own, "data"),
      bin_dir: PROGRAMS,
      authentication: { superuser: login("postgres"), replication: login("replicator") },
      parameters: { unix_socket_directories: own },
    },
  };
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify(settings), { mode: 0o644 });
  return machine(name, number, [...asPostgres, "patroni", file]);
};

const PROXY = `
defaults
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
listen database
  mode tcp
  bind ${HERE}:5432
  option httpchk GET /primary
  default-server port 8008
  server db1 ${NET}.11:5432
  server db2 ${NET}.12:5432
listen docket
  mode http
  bind ${HERE}:3625
  option httpchk GET /readyz
  http-check send hdr Host localhost
  server one ${NET}.21:3625
  server two ${NET}.22:3625
  server three ${NET}.23:3625
`;

/** The address that always leads to the primary. */
export const DATABASE = `postgres://postgres@${HERE}/docket`;

/** Builds the group, and starts etcd, HAProxy and PostgreSQL. */
export const buildGroup = (program: string) => {
  must("ip", "link", "add", "dkt", "type", "bridge");
  must("ip", "addr", "add", `${HERE}/24`, "dev", "dkt");
  must("ip", "link", "set", "dkt", "up");
  const at = `http://${HERE}`;
  const etcd = Bun.spawn(
    [
      ...words(`etcd --data-dir ${join(folder, "etcd")} --initial-cluster default=${at}:2380
        --listen-client-urls ${at}:2379 --advertise-client-urls ${at}:2379
        --listen-peer-urls ${at}:2380 --initial-advertise-peer-urls ${at}:2380`),
    ],
    { stdin: "ignore", stdout: "ignore", stderr: Bun.file(join(folder, "etcd.log")) },
  );
  must("chmod", "755", folder);
  chownSync(folder, user, group);
  const databases = [patroni("db1", 11), patroni("db2", 12)];
  const servers = ["one", "two", "three"].map((name, index) =>
    machine(
      name,
      21 + index,
      words(`${program} serve --host 0.0.0.0 --data ${join(folder, name)} --public-url ${at}:3625
        --rate-per-minute 100000 --rate-per-hour 100000`),
      { DOCKET_DATABASE: DATABASE },
    ),
  );
  writeFileSync(join(folder, "haproxy.cfg"), PROXY);
  const proxy = Bun.spawn(["haproxy", "-f", join(folder, "haproxy.cfg")], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(folder, "haproxy.log")),
  });
  for (const { start } of databases) start();
  return {
    folder,
    databases,
    servers,
    end: async () => {
      for (const one of [...databases, ...servers]) await one.kill();
      proxy.kill("SIGKILL");
      etcd.kill("SIGKILL");
      for (const { name } of [...databases, ...servers]) must("ip", "netns", "del", `dkt-${name}`);
      must("ip", "link", "del", "dkt");
    },
  };
};
