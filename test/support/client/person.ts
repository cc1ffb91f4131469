import { onTestFinished } from "bun:test";
import { type Client, openClient } from "../../../src/client/client.ts";
import type { Browser } from "../../../src/client/windows.ts";
import { newBrowser } from "./browser.ts";

/** What becomes of a request. */
type Fate = "answered" | "reply lost" | "request lost";

/** The line between a browser and its server. */
export type Line = {
  fate: Fate;
  /** Runs when the server has answered, and before the browser hears of it. */
  meanwhile: (path: string, init: RequestInit) => Promise<void>;
  /** Stands in for the server. */
  instead: ((path: string, init: RequestInit) => Promise<Response> | Response | null) | null;
  /** Runs when a request arrives at the server. */
  onRequest: (path: string, init: RequestInit) => void;
  /** Runs when the server has answered, also if the reply is lost. */
  onReply: (path: string, init: RequestInit, body: string) => void;
  url: () => string;
  token: string;
  readonly calls: string[];
};

export const newLine = (url: () => string, token: string): Line => ({
  fate: "answered",
  meanwhile: () => Promise.resolve(),
  instead: null,
  onRequest: () => {},
  onReply: () => {},
  url,
  token,
  calls: [],
});

export const requestOver =
  (line: Line) =>
  async (path: string, init: RequestInit): Promise<Response> => {
    line.calls.push(`${init.method} ${path}`);
    const forged = line.instead?.(path, init);
    if (forged) return forged;
    const { fate } = line;
    if (fate === "request lost") throw new TypeError("Failed to fetch");
    line.onRequest(path, init);
    const headers = { ...(init.headers as object), authorization: `Bearer ${line.token}` };
    const response = await fetch(`${line.url()}/api/public/v1${path}`, { ...init, headers });
    const body = await response.text();
    line.onReply(path, init, body);
    await line.meanwhile(path, init);
    if (fate === "reply lost") throw new TypeError("Failed to fetch");
    return new Response(body, { status: response.status, headers: response.headers });
  };

export type WindowOptions = {
  readonly browser?: Browser;
  readonly account?: string;
  readonly now?: () => number;
};

let servers = 0;

/** Returns the address of a server that no other test's store belongs to. */
export const newAddress = (): string => `http://server-${(servers += 1)}.example`;

/** Opens a window of the web app's core. It is closed at the end of the test. */
export const openWindow = async (
  line: Line,
  server: string,
  { browser = newBrowser(), account = "1", now = Date.now }: WindowOptions = {},
): Promise<Client> => {
  const client = await openClient(
    {
      account: { id: account, email: "ann@example.org" },
      server,
      request: requestOver(line),
      now,
      newId: () => crypto.randomUUID(),
    },
    browser,
  );
  onTestFinished(client.close);
  await client.whole;
  return client;
};
