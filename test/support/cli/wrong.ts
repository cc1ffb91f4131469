/** A request on its way through a wrong server. */
export type Asked = {
  /** Method and path below the API's base address, without the query: `GET /tasks`. */
  readonly line: string;
  readonly query: string;
  readonly headers: Headers;
  readonly text: string;
  // The wrong servers change bodies of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  readonly who: string;
};

/** What a wrong server changes before it passes a request on. */
type Changes = {
  readonly line?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Passes it on with the credential of another caller. */
  readonly who?: string;
};

export type Pass = (changes?: Changes) => Promise<Response>;

/** Answers a request, or returns null to pass it on as it is. */
export type Wrong = (asked: Asked, pass: Pass) => Promise<Response> | null;

export type WrongServer = { readonly url: string; readonly stop: () => Promise<void> };

const API = "/api/public/v1";

/**
 * A real server in front of a right one. It passes every request on, except those that `wrong` answers.
 * `tokens` are the credentials by the names of their callers.
 */
export const startWrongServer = (
  right: string,
  tokens: Readonly<Record<string, string>>,
  wrong: Wrong,
): WrongServer => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const asked = await read(request, tokens);
      const pass: Pass = (changes = {}) => forward(right, tokens, request, asked, changes);
      return wrong(asked, pass) ?? pass();
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};

const read = async (request: Request, tokens: Readonly<Record<string, string>>): Promise<Asked> => {
  const { pathname, search } = new URL(request.url);
  const text = await request.text();
  const sent = request.headers.get("authorization")?.replace("Bearer ", "");
  const who = Object.keys(tokens).find((name) => tokens[name] === sent) ?? "nobody";
  const line = `${request.method} ${pathname.replace(API, "")}`;
  return { line, query: search, headers: request.headers, text, json: parsed(text), who };
};

const forward = (
  right: string,
  tokens: Readonly<Record<string, string>>,
  request: Request,
  asked: Asked,
  changes: Changes,
): Promise<Response> => {
  const [method = "GET", path = ""] = (changes.line ?? asked.line).split(" ");
  const headers = new Headers(request.headers);
  for (const name of ["host", "content-length", "connection"]) headers.delete(name);
  // Otherwise fetch would unpack the reply, and its headers would still say that it is packed.
  headers.set("accept-encoding", "identity");
  if (changes.who !== undefined) headers.set("authorization", `Bearer ${tokens[changes.who]}`);
  for (const [name, value] of Object.entries(changes.headers ?? {}))
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  const body = changes.body === undefined ? asked.text : JSON.stringify(changes.body);
  const base = path === "/healthz" ? right : right + API;
  return fetch(base + path + (changes.query ?? asked.query), {
    method,
    headers,
    ...(body === "" || ["GET", "HEAD"].includes(method) ? {} : { body }),
  });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The same reply with another body, another status or without a header. */
export const changed = async (
  reply: Response | Promise<Response>,
  // oxlint-disable-next-line typescript/no-explicit-any
  edit: (json: any) => unknown = (json) => json,
  { status, without }: { readonly status?: number; readonly without?: string } = {},
): Promise<Response> => {
  const right = await reply;
  const headers = new Headers(right.headers);
  for (const name of ["content-length", "content-encoding", without ?? ""].filter(Boolean))
    headers.delete(name);
  const text = await right.text();
  const isEmpty = text === "" || (status ?? right.status) === 204;
  return new Response(isEmpty ? null : JSON.stringify(edit(JSON.parse(text))), {
    status: status ?? right.status,
    headers,
  });
};

/** A reply of the wrong server's own. */
export const own = async (status: number, body: unknown): Promise<Response> =>
  Response.json(body, { status });
