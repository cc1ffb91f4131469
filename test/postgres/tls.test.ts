import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToPostgres, onPostgres, type Postgres, startPostgres } from "../support/postgres.ts";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { send, testDirectory } from "../support/server.ts";

const docket = (address: string, ...words: readonly string[]) =>
  run(DOCKET, [...words, "--data", testDirectory()], { env: { DOCKET_DATABASE: address } });

onPostgres("A database that is reached by TLS", () => {
  const folder = testDirectory();
  const at = (name: string): string => join(folder, name);
  let postgres: Postgres;
  let plain: Postgres;
  let database: string;

  const openssl = async (...words: readonly string[]): Promise<void> => {
    const { code, err } = await run(["openssl"], words, { cwd: folder });
    if (code !== 0) throw new Error(err);
  };

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const key = ["-newkey", "rsa:2048", "-nodes"];
    await openssl("req", "-x509", ...key, "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.pem");
    await openssl("req", ...key, "-subj", "/CN=db", "-keyout", "key.pem", "-out", "asked.pem");
    writeFileSync(at("names"), "subjectAltName=DNS:localhost");
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
    await openssl("x509", "-req", "-in", "asked.pem", ...signed, "-out", "cert.pem");
    writeFileSync(at("hba"), "local all all trust\nhostssl all all 127.0.0.1/32 trust\n");
    for (const name of ["cert.pem", "key.pem", "hba"]) await giveToPostgres(at(name));
    postgres = await startPostgres([
      "ssl=on",
      `ssl_cert_file=${at("cert.pem")}`,
      `ssl_key_file=${at("key.pem")}`,
      `hba_file=${at("hba")}`,
    ]);
    database = (await postgres.database("docket")).replace("127.0.0.1", "localhost");
    plain = await startPostgres();
  });
  afterAll(async () => {
    await postgres.end();
    await plain.end();
  });

  test.each(["verify-full", "require"])(
    "serves, and sends nothing in the clear: %s",
    async (mode) => {
      const address = `${database}?sslmode=${mode}&sslrootcert=${at("ca.pem")}`;
      const email = `${mode}@example.org`;
      const added = await docket(address, "account", "add", email);
      expect([added.code, added.err]).toEqual([0, expect.not.stringContaining("WARNING")]);
      const session = await docket(address, "session", "create", "--account", email, "--name", "x");
      const server = await serve(DOCKET, ["--data", testDirectory(), "--log", "off"], {
        env: { DOCKET_DATABASE: address },
      });
      const pulled = await send("GET", `${server.url}/api/public/v1/sync`, {
        token: session.out.trim(),
      });
      expect(pulled.status).toBe(200);
      const sql =
        "select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'docket'";
      expect(await postgres.ask(database, sql)).toBe("t");
      expect(await server.stop()).toBe(0);
    },
  );

  test.each<[string, () => string, string]>([
    [
      "whose certificate nobody known has signed",
      () => `${database}?sslmode=verify-full`,
      "The certificate that PostgreSQL shows as localhost is not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE).",
    ],
    [
      "whose certificate has another name",
      () =>
        `${database.replace("localhost", "127.0.0.1")}?sslmode=verify-full&sslrootcert=${at("ca.pem")}`,
      "is not accepted (ERR_TLS_CERT_ALTNAME_INVALID).",
    ],
    [
      "with a file that is not there",
      () => `${database}?sslmode=verify-full&sslrootcert=${at("none.pem")}`,
      "A file that --database names cannot be read.",
    ],
    ["that asks for TLS", () => database, "it may ask for TLS (?sslmode=verify-full)."],
    [
      "that speaks none",
      () => `${plainAddress()}?sslmode=verify-full`,
      "PostgreSQL at 127.0.0.1 speaks no TLS.",
    ],
  ])("is refused with what to do: one %s", async (_name, address, sentence) => {
    const { code, err } = await docket(address(), "account", "list");
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    expect(err).not.toContain("    at ");
  });

  const plainAddress = (): string => plain.address("postgres");
});
