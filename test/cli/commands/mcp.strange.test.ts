import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { askOnLines, errorOf, request } from "../../support/bridge.ts";
import { echo, environment, KEY, stranger } from "../../support/stranger.ts";

// What `docket mcp` does if DOCKET_URL leads to a proxy or another program, or if the connection breaks.

const fixture = (name: string) => Bun.file(join(import.meta.dir, "../../fixtures", name));

const answerTo = async (answer: () => Response): Promise<{ url: string; replies: object[] }> => {
  const { url } = stranger(answer);
  const { code, err, replies } = await askOnLines(environment(url), [request(1, "ping")]);
  expect([code, err]).toEqual([0, ""]);
  return { url, replies };
};

describe("answers that are not from Docket", () => {
  test("a redirect is not followed, and the key is not sent there", async () => {
    const elsewhere = echo(() => ({}));
    const location = `${elsewhere.url}/mcp`;
    const { url, replies } = await answerTo(
      () => new Response(null, { status: 307, headers: { location } }),
    );
    expect(replies).toEqual([
      errorOf(
        1,
        `${url} redirects to another address, where your API key was not sent. Set DOCKET_URL to the address of your Docket server.`,
        { status: 307 },
      ),
    ]);
    expect(elsewhere.heard).toEqual([]);
  });

  test("a proxy's error page is not passed on", async () => {
    const { url, replies } = await answerTo(() => new Response("<h1>oh</h1>", { status: 502 }));
    const sentence = `${url} answered with status 502, but the answer is not from Docket. Set DOCKET_URL to the address of your Docket server.`;
    expect(replies).toEqual([errorOf(1, sentence, { status: 502 })]);
  });

  test.each([
    ["a web page", () => new Response("<h1>Welcome</h1>")],
    ["other JSON", () => Response.json({ ok: true })],
    ["an empty answer", () => new Response(null, { status: 204 })],
    ["a stream of events without data", () => eventStream(": open\n\nevent: x\n\n")],
  ])("%s is not taken for a reply", async (_what, answer) => {
    const { url, replies } = await answerTo(answer);
    expect(replies).toEqual([
      errorOf(
        1,
        `The server at ${url} is not Docket. Set DOCKET_URL to the address of your Docket server.`,
      ),
    ]);
  });

  test.each([
    ["that never ends", {}],
    ["of a refusal that never ends", { status: 500 }],
  ])("an answer %s is not read to its end", async (_what, init) => {
    const stopped = Promise.withResolvers<void>();
    let sent = 0;
    const spaces = new Uint8Array(1024 * 1024).fill(0x20);
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 1;
          controller.enqueue(spaces);
        },
        cancel: () => {
          stopped.resolve();
        },
      });
    const { url, replies } = await answerTo(() => new Response(endless(), init));
    const sentence =
      "status" in init
        ? `${url} answered with status 500, but the answer is not from Docket. Set DOCKET_URL to the address of your Docket server.`
        : `The reply from ${url} was longer than 32 MiB, so it was not read to its end. The call may have taken effect. Check before you repeat it.`;
    expect(replies).toEqual([errorOf(1, sentence, "status" in init ? { status: 500 } : undefined)]);
    await stopped.promise;
    expect(sent).toBeLessThan(100);
  });

  test("events are written one per line and in order, whatever their line ends", async () => {
    const { replies } = await answerTo(() =>
      eventStream(
        ': open\r\n\r\nevent: message\r\nid: 1\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"x"}\r\n\r\n' +
          'data:{"jsonrpc":"2.0","id":1,"result":{"a":"\\n\u2028"}}\n\n',
      ),
    );
    expect(replies).toEqual([
      { jsonrpc: "2.0", method: "x" },
      { jsonrpc: "2.0", id: 1, result: { a: "\n\u2028" } },
    ]);
  });

  test("a connection that breaks: the reply says that the call may have taken effect", async () => {
    const broken = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"'),
      },
    });
    const url = `http://127.0.0.1:${broken.port}`;
    const { replies } = await askOnLines(environment(url), [request(1, "ping")]);
    broken.stop(true);
    expect(replies).toEqual([
      errorOf(
        1,
        `The reply from ${url} was lost. The call may have taken effect. Check before you repeat it.`,
      ),
    ]);
  });

  test("https with an untrusted certificate: nothing is sent", async () => {
    const tls = { cert: fixture("tls-cert.pem"), key: fixture("tls-key.pem") };
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response() });
    const url = `https://127.0.0.1:${server.port}`;
    const { replies } = await askOnLines(environment(url), [request(1, "ping")]);
    await server.stop(true);
    expect(replies).toEqual([
      errorOf(
        1,
        `The https connection to ${url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT), so nothing was sent. Fix the certificate, or correct DOCKET_URL.`,
      ),
    ]);
  });
});

const eventStream = (text: string): Response =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });

describe("the key", () => {
  test("is never printed, whatever the server answers", async () => {
    const { url } = echo(({ headers }) => ({ said: headers.get("authorization") }));
    const failing = stranger(({ headers }) =>
      Response.json({ error: `No: ${headers.get("authorization")}` }, { status: 400 }),
    );
    const said = { jsonrpc: "2.0", method: "notifications/initialized" };
    for (const address of [url, failing.url]) {
      const { out, err } = await askOnLines(environment(address), [request(1, "ping"), said]);
      expect(out).toContain(`Bearer ${KEY.slice(0, 16)}…${KEY.slice(-4)}`);
      expect(out + err).not.toContain(KEY);
    }
  });

  test("does not go through a proxy if the server is on this machine", async () => {
    const proxy = stranger(() => Response.json({}));
    const { url } = echo(() => ({}));
    const env = environment(url, { HTTP_PROXY: proxy.url, http_proxy: proxy.url });
    const { replies } = await askOnLines(env, [request(1, "ping")]);
    expect(replies).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    expect(proxy.heard).toEqual([]);
  });
});
