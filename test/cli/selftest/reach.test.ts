import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DOCKET } from "../../support/docket.ts";
import { serve } from "../../support/program.ts";
import { newcomer, sharedServer } from "../../support/replies.ts";
import { testDirectory } from "../../support/server.ts";
import { selftest } from "../../support/cli/command.ts";

const right = await sharedServer();
const ann = await newcomer(right);
const session = ann.session;

/** A server that answers everything with the same reply. */
const always = (status: number, body: string, headers: Record<string, string> = {}): string => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(body, { status, headers }),
  });
  afterAll(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
};

const said = async (url: string, credentials: Parameters<typeof selftest>[1]) => {
  const { code, out, err } = await selftest([url], credentials);
  expect(out).toBe("");
  return { code, err: err.trim() };
};

describe("docket selftest says what to correct about", () => {
  test.each([
    ["nonsense", 'docket: URL must be an http:// or https:// address, not "nonsense".'],
    [
      "ftp://127.0.0.1",
      'docket: URL must be an http:// or https:// address, not "ftp://127.0.0.1".',
    ],
    [
      "http://ann:secret@127.0.0.1",
      "docket: URL must be the address of a server, such as http://127.0.0.1:3625, without ? or # and without a password.",
    ],
    [
      "http://127.0.0.1/?token=x",
      "docket: URL must be the address of a server, such as http://127.0.0.1:3625, without ? or # and without a password.",
    ],
  ])("the address %s", async (url, err) => {
    expect(await said(url, { session })).toEqual({ code: 2, err });
  });

  test("an address where no server is", async () => {
    expect(await said("http://127.0.0.1:9", { session })).toEqual({
      code: 1,
      err: "docket: No server answers at http://127.0.0.1:9 (ECONNREFUSED). Check the address, and that the server is running.",
    });
  });

  test.each([
    ["a web page", always(200, "<!doctype html>", { "content-type": "text/html" }), 200],
    ["other JSON", always(200, '{"hello": "world"}'), 200],
    ["nothing", always(404, ""), 404],
  ])("a server that is not Docket and answers with %s", async (_what, url, status) => {
    expect(await said(url, { session })).toEqual({
      code: 1,
      err: `docket: ${url} answers, but not as Docket does: GET ${url}/api/public/v1/me gave status ${status} and no reply of this API. Check the address.`,
    });
  });

  test("a redirect, which does not get the token", async () => {
    const url = always(301, "", { location: "https://docket.example/" });
    expect(await said(url, { session })).toEqual({
      code: 1,
      err: `docket: ${url} redirects to https://docket.example/, where nothing was sent. Use the address of the server itself.`,
    });
  });

  test("a server that is not ready", async () => {
    const url = always(503, '{"error": "The database cannot be read right now."}');
    expect(await said(url, { session })).toEqual({
      code: 1,
      err: "docket: The server answered GET /me with status 503: The database cannot be read right now.",
    });
  });

  test("a certificate that it cannot trust, http instead of https, and the reverse", async () => {
    const [cert, secret] = ["tls-cert.pem", "tls-key.pem"].map((name) =>
      join(import.meta.dir, "../../fixtures", name),
    );
    const words = ["--tls-cert", cert ?? "", "--tls-key", secret ?? "", "--log", "off"];
    const secure = await serve(DOCKET, ["--data", testDirectory(), ...words]);
    expect(await said(secure.url, { session })).toEqual({
      code: 1,
      err: `docket: The certificate of ${secure.url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT), so nothing was sent. If it is your own, name its file in NODE_EXTRA_CA_CERTS.`,
    });
    const trusted = await selftest([secure.url], { session }, { NODE_EXTRA_CA_CERTS: cert ?? "" });
    expect(trusted.err).toContain("The server does not accept the token in DOCKET_SESSION_TOKEN");
    const plain = secure.url.replace("https", "http");
    expect(await said(plain, { session })).toEqual({
      code: 1,
      err: `docket: The server at ${plain} closed the connection without a reply. If it uses https, begin the address with https://.`,
    });
    await secure.stop();
    const wrong = right.url.replace("http", "https");
    expect(await said(wrong, { session })).toEqual({
      code: 1,
      err: `docket: The server at ${wrong} does not use https. Use http:// instead.`,
    });
  });

  const REFUSED =
    "The credential is not valid. It may be mistyped, expired or revoked. Create a new key or sign in again.";

  test("a missing session token", async () => {
    expect(await said(right.url, {})).toEqual({
      code: 2,
      err: "docket: DOCKET_SESSION_TOKEN is not set. Create a token with `docket session create`, best for an account of its own.",
    });
  });

  test("a token or key that the server does not accept", async () => {
    for (const wrong of [`docket_sess_${"0".repeat(38)}`, "something-else"])
      expect(await said(right.url, { session: wrong })).toEqual({
        code: 1,
        err: `docket: The server does not accept the token in DOCKET_SESSION_TOKEN: ${REFUSED}`,
      });
    expect(await said(right.url, { session, writer: `docket_live_${"0".repeat(38)}` })).toEqual({
      code: 1,
      err: `docket: The server does not accept the token in DOCKET_WRITE_KEY: ${REFUSED}`,
    });
  });

  test("a key in the token's place, and a token in a key's", async () => {
    const key = await ann.key();
    expect(await said(right.url, { session: key })).toEqual({
      code: 2,
      err: "docket: DOCKET_SESSION_TOKEN holds an API key, not a session token.",
    });
    expect(await said(right.url, { session, reader: session })).toEqual({
      code: 2,
      err: "docket: DOCKET_READ_KEY holds a session token, not an API key.",
    });
    expect(await said(right.url, { session, key: "two words" })).toEqual({
      code: 2,
      err: "docket: DOCKET_API_KEY holds characters that no token has. Copy it again.",
    });
  });

  test("a key of another account, and one that is kept to the inbox", async () => {
    const bob = await newcomer(right);
    expect(await said(right.url, { session, key: await bob.key() })).toEqual({
      code: 1,
      err: "docket: DOCKET_API_KEY and DOCKET_SESSION_TOKEN belong to different accounts. Use credentials of one account.",
    });
    const kept = await ann.key(["write"], "kept", { kind: "inbox" });
    expect(await said(right.url, { session, key: kept })).toEqual({
      code: 1,
      err: "docket: The key in DOCKET_API_KEY is kept to certain folders. Use one for the whole account.",
    });
  });

  test("another host name", async () => {
    const { port } = new URL(right.url);
    const url = `http://docket.localhost:${port}`;
    const { code, err } = await said(url, { session });
    expect(code).toBe(1);
    expect(err).toEndWith(
      "The server answered GET /me with status 421: This server does not answer to that host name. Use localhost or the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS.",
    );
  });
});
