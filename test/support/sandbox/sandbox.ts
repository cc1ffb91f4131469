import { afterAll } from "bun:test";
import { SANDBOX_SECRETS } from "../../../src/sandbox/account.ts";
import { DOCKET } from "../docket.ts";
import { type Running, serve } from "../program.ts";

const API = "/api/public/v1";

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests read replies of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
};

export type Asked = {
  readonly wish?: string;
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
};

/** A request with the sandbox's session token, or with another one. A body makes it a POST. */
export const ask = async (
  url: string,
  path: string,
  { wish, body, token = SANDBOX_SECRETS.DOCKET_SESSION_TOKEN, headers = {}, method }: Asked = {},
): Promise<Reply> => {
  const response = await fetch(path.startsWith("!") ? url + path.slice(1) : url + API + path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(wish === undefined ? {} : { "docket-sandbox": wish }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `docket serve --sandbox` in a process of its own, stopped when the test file is done. */
export const startSandbox = async (
  words: readonly string[] = [],
  program: readonly string[] = DOCKET,
): Promise<Running> => {
  const running = await serve(program, ["--sandbox", "--log", "off", ...words]);
  // The credentials are printed last.
  while (!running.printed().includes("DOCKET_WRITE_KEY")) await Bun.sleep(5);
  afterAll(() => running.stop());
  return running;
};
