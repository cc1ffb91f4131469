import { afterAll } from "bun:test";
import { cryptoRandom, mintSecret } from "../../src/domain/base/secret.ts";

/** A key that no server knows. */
export const KEY = mintSecret("live", cryptoRandom);

type Heard = { readonly headers: Headers; readonly body: string };

/** A stranger's server on a free port, which records what it receives. */
export const stranger = (
  answer: (request: Request, body: string) => Promise<Response> | Response,
) => {
  const heard: Heard[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request_) => {
      const body = await request_.text();
      heard.push({ headers: request_.headers, body });
      return answer(request_, body);
    },
  });
  afterAll(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, heard };
};

/** Answers every request with that request's id. */
export const echo = (result: (heard: Request) => object) =>
  stranger((heard, body) =>
    Response.json({ jsonrpc: "2.0", id: JSON.parse(body).id, result: result(heard) }),
  );

/** The environment with which `docket mcp` calls that server. */
export const environment = (url: string, more: Readonly<Record<string, string>> = {}) => ({
  DOCKET_URL: url,
  DOCKET_API_KEY: KEY,
  ...more,
});
