import { describe, expect, onTestFinished, test } from "bun:test";
import { copyFileSync, readFileSync, symlinkSync, truncateSync, unlinkSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { connect } from "node:tls";
import { type Certificate, watchCertificate } from "../../src/server/certificate.ts";
import { startListener } from "../../src/server/listener.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { startLog } from "../../src/server/log.ts";
import { DOCKET } from "../support/docket.ts";
import { plainEnvironment, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const fixture = (name: string): string => join(import.meta.dir, "../fixtures", name);
const OLD = { cert: fixture("tls-cert.pem"), key: fixture("tls-key.pem") };
const NEW = { cert: fixture("tls-rsa-cert.pem"), key: fixture("tls-rsa-key.pem") };

const read = ({ cert, key }: Certificate): Certificate => ({
  cert: readFileSync(cert, "utf8"),
  key: readFileSync(key, "utf8"),
});

/** The certificate and key of a server, as a tool that renews them writes them. */
const certificateFiles = () => {
  const directory = testDirectory();
  const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  const copy = (from: Certificate, which: readonly (keyof Certificate)[] = ["cert", "key"]) => {
    for (const one of which) copyFileSync(from[one], files[one]);
  };
  copy(OLD);
  return { directory, files, copy };
};

/** The certificate that a new connection gets. */
const servedAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on("error", reject);
  });
const printOf = ({ cert }: Certificate): string =>
  new X509Certificate(readFileSync(cert)).fingerprint256;

const endOf = ({ cert }: Certificate): number =>
  new X509Certificate(readFileSync(cert)).validToDate.getTime();

/** A listener in this process that looks at the files when the test asks it to. `/long` is answered when `answer` is called. */
const watched = (now: () => number = Date.now) => {
  const { files, copy } = certificateFiles();
  const said: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<Response>();
  const fetch = (request: Request): Promise<Response> | Response => {
    if (!request.url.endsWith("/long")) return new Response("short");
    begun.resolve();
    return waiting.promise;
  };
  const handlers = { fetch, error: () => new Response("wrong") };
  const listener = startListener(handlers, "127.0.0.1", 0, read(files));
  const write = (line: string): void => {
    const { time: _time, ...rest } = JSON.parse(line) as { time: string };
    said.push(rest);
  };
  const log = startLog("json", write, () => new Date());
  const look = watchCertificate(() => read(files), read(files), listener.renew, log, now);
  onTestFinished(() => listener.end(0));
  const answer = (): void => waiting.resolve(new Response("answered"));
  return { files, copy, said, listener, look, begun: begun.promise, answer };
};

const SERVED = {
  level: "info",
  message: "the renewed certificate is served",
  expires: new Date(endOf(NEW)).toISOString(),
};
const warning = (how: string, at: number) => ({
  level: "warn",
  message: `the certificate ${how}: renew it`,
  expires: new Date(at).toISOString(),
});
const unusable = (cause: string) => ({
  level: "error",
  message: "the new certificate cannot be used, so the old one is still served",
  cause,
});
const FOREIGN = unusable("tls-key does not belong to tls-cert. Set the key of this certificate.");

describe("A renewed certificate", () => {
  test("is served to new connections after the next look", async () => {
    const { copy, said, listener, look } = watched();
    look(false);
    expect(await servedAt(listener.port)).toBe(printOf(OLD));
    copy(NEW);
    look(false);
    expect(await servedAt(listener.port)).toBe(printOf(NEW));
    look(false);
    expect(said).toEqual([SERVED]);
  });

  test("ends the warning that the old one expires soon, which is logged once", async () => {
    const [end, later] = [endOf(OLD), endOf(NEW)];
    let now = end - 15 * DAY;
    const { copy, said, look } = watched(() => now);
    look(false);
    expect(said).toEqual([]);
    now = end - 13 * DAY;
    look(false);
    look(false);
    expect(said.splice(0)).toEqual([warning("expires soon", end)]);
    copy(NEW);
    now = later - 15 * DAY;
    look(false);
    expect(said.splice(0)).toEqual([SERVED]);
    now = later + DAY;
    look(false);
    expect(said).toEqual([warning("has expired", later)]);
  });

  test("breaks off no request in progress", async () => {
    const { copy, listener, look, begun, answer } = watched();
    const tls = { rejectUnauthorized: false };
    const long = fetch(`https://127.0.0.1:${listener.port}/long`, { tls });
    await begun;
    copy(NEW);
    look(false);
    expect(await servedAt(listener.port)).toBe(printOf(NEW));
    answer();
    expect(await (await long).text()).toBe("answered");
  });

  test("is waited for when a stop begins meanwhile", async () => {
    const { copy, listener, look, begun, answer } = watched();
    const tls = { rejectUnauthorized: false };
    const long = fetch(`https://127.0.0.1:${listener.port}/long`, { tls });
    await begun;
    copy(NEW);
    look(false);
    listener.close();
    const ended = listener.end(10_000);
    answer();
    expect(await (await long).text()).toBe("answered");
    await ended;
  });

  test("is served once its key has arrived too, without a word about the moment before", async () => {
    const { copy, said, listener, look } = watched();
    copy(NEW, ["cert"]);
    look(false);
    expect(await servedAt(listener.port)).toBe(printOf(OLD));
    copy(NEW, ["key"]);
    look(false);
    expect(await servedAt(listener.port)).toBe(printOf(NEW));
    expect(said).toEqual([SERVED]);
  });

  test("that does not fit its key is reported once, and served when it does", async () => {
    const { copy, said, listener, look } = watched();
    copy(NEW, ["cert"]);
    for (let looks = 0; looks < 4; looks += 1) look(false);
    expect(await servedAt(listener.port)).toBe(printOf(OLD));
    expect(said).toEqual([FOREIGN]);
    copy(NEW);
    look(false);
    expect(await servedAt(listener.port)).toBe(printOf(NEW));
    expect(said).toEqual([FOREIGN, SERVED]);
  });

  test.each<[string, (files: Certificate) => void, string]>([
    [
      "a certificate that is written by half",
      ({ cert }) => truncateSync(cert, 300),
      "tls-cert is not a complete PEM file.",
    ],
    [
      "a key that is written by half",
      ({ key }) => truncateSync(key, 100),
      "tls-key is not a complete PEM file without a password.",
    ],
    [
      "an empty certificate",
      ({ cert }) => truncateSync(cert, 0),
      "tls-cert is not a complete PEM file.",
    ],
  ])("does not replace the old one if it is %s", async (_name, spoil, cause) => {
    const { files, copy, said, listener, look } = watched();
    copy(NEW);
    spoil(files);
    look(true);
    expect(await servedAt(listener.port)).toBe(printOf(OLD));
    expect(said).toEqual([unusable(cause)]);
    copy(OLD);
    look(true);
    expect(said.slice(1)).toEqual([{ level: "info", message: "the certificate has not changed" }]);
  });
});

describe("A server in a process of its own", () => {
  test("serves what a symbolic link leads to after SIGHUP, and keeps running", async () => {
    const { directory, files } = certificateFiles();
    const links = { cert: join(directory, "live-cert.pem"), key: join(directory, "live-key.pem") };
    const point = (to: Certificate): void => {
      for (const one of ["cert", "key"] as const) symlinkSync(to[one], links[one]);
    };
    point(files);
    const words = ["--tls-cert", links.cert, "--tls-key", links.key, "--log", "json"];
    const server = await serve(DOCKET, ["--data", join(directory, "data"), ...words]);
    const port = Number(new URL(server.url).port);
    expect(await servedAt(port)).toBe(printOf(OLD));
    for (const link of Object.values(links)) unlinkSync(link);
    point(NEW);
    process.kill(server.pid, "SIGHUP");
    while (!server.said().includes(SERVED.message)) await Bun.sleep(10);
    expect(await servedAt(port)).toBe(printOf(NEW));
    expect(await server.stop()).toBe(0);
  });

  test("is not ended by SIGHUP if it serves http", async () => {
    const server = await serve(DOCKET, ["--data", testDirectory(), "--log", "json"]);
    process.kill(server.pid, "SIGHUP");
    while (!server.said().includes("there is no certificate to load again")) await Bun.sleep(10);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  test("is ended by SIGHUP only if the terminal that it was started in is closed", async () => {
    let shown = "";
    const words = ["serve", "--port", "0", "--data", testDirectory()];
    const server = Bun.spawn([...DOCKET, ...words], {
      env: plainEnvironment(),
      terminal: { data: (_terminal, bytes) => void (shown += new TextDecoder().decode(bytes)) },
    });
    while (!shown.includes("For a new link")) await Bun.sleep(10);
    server.kill("SIGHUP");
    while (!shown.includes("there is no certificate to load again")) await Bun.sleep(10);
    const url = /listening on (\S+)/.exec(shown)?.[1] ?? "";
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    server.terminal?.close();
    expect(await server.exited).toBe(0);
  });

  test.each([
    [{ ...OLD, key: NEW.key }, FOREIGN.cause],
    [{ ...OLD, cert: OLD.key }, "tls-cert is not a complete PEM file."],
  ])("does not start with a certificate that it cannot serve", async ({ cert, key }, cause) => {
    const data = join(testDirectory(), "data");
    const words = ["serve", "--port", "0", "--data", data, "--tls-cert", cert, "--tls-key", key];
    const refused = { code: 2, out: "", err: `docket: ${cause}\n` };
    expect(await run(DOCKET, words)).toEqual(refused);
  });
});
