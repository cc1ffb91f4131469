import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connect } from "node:tls";
import { DOCKET } from "../support/docket.ts";
import { serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const fixture = (name: string): string => join(import.meta.dir, "../fixtures", name);

type Wish = { readonly ciphers?: string; readonly maxVersion?: "TLSv1.1" | "TLSv1.2" };

/** The protocol and suite that a client with this wish gets; null if it gets no connection. */
const agreedWith = (address: string, wish: Wish): Promise<string | null> =>
  new Promise((resolve) => {
    const { hostname: host, port } = new URL(address);
    const options = { host, port: Number(port), rejectUnauthorized: false, ...wish };
    const socket = connect(options, () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
      socket.destroy();
    });
    socket.on("error", () => resolve(null));
  });

describe.each([
  ["an RSA key", "tls-rsa-cert.pem", "tls-rsa-key.pem", "RSA"],
  ["an elliptic key", "tls-cert.pem", "tls-key.pem", "ECDSA"],
])("A server with %s", (_name, cert, key, kind) => {
  test("takes only suites with forward secrecy and authenticated encryption", async () => {
    const words = ["--tls-cert", fixture(cert), "--tls-key", fixture(key), "--log", "off"];
    const server = await serve(DOCKET, ["--data", testDirectory(), ...words]);
    const agreed = (wish: Wish) => agreedWith(server.url, wish);
    for (const ciphers of [
      "AES128-GCM-SHA256",
      "AES256-GCM-SHA384",
      "AES128-SHA",
      "AES256-SHA",
      `ECDHE-${kind}-AES128-SHA`,
      `ECDHE-${kind}-AES256-SHA`,
    ])
      expect([ciphers, await agreed({ ciphers, maxVersion: "TLSv1.2" })]).toEqual([ciphers, null]);
    expect(await agreed({ maxVersion: "TLSv1.1" })).toBeNull();
    for (const suite of ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]) {
      const ciphers = `ECDHE-${kind}-${suite}`;
      expect(await agreed({ ciphers, maxVersion: "TLSv1.2" })).toBe(`TLSv1.2 ${ciphers}`);
    }
    expect(await agreed({})).toStartWith("TLSv1.3 TLS_");
    expect(await server.stop()).toBe(0);
  });
});
