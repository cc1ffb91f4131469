import { eq } from "drizzle-orm";
import { addAccount } from "../../../src/db/people/accounts.ts";
import { createBrowserSession } from "../../../src/db/people/browser-sessions.ts";
import { account } from "../../../src/db/schema/records.ts";
import type { Account } from "../../../src/domain/people/account.ts";
import { startHasher } from "../../../src/domain/people/password.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import type { TestServer } from "../server.ts";

export const PASSWORD = "correct horse battery";

export type Seen = {
  readonly status: number;
  readonly headers: Headers;
  /** The page as received. */
  readonly html: string;
  /** Its text without markup, with single spaces. */
  readonly text: string;
  /** Where it redirects to; null if it does not. */
  readonly location: string | null;
};

export type Visitor = {
  /** The cookies that the server has set, by name. */
  readonly cookies: Map<string, string>;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Seen>;
  /** Posts a form as a browser on one of the server's own pages does. */
  readonly post: (
    path: string,
    form?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Seen>;
  /** Posts JSON as our own script does. */
  readonly send: (path: string, body: unknown) => Promise<Seen>;
  /** Posts a file as our own script does. */
  readonly sendFile: (path: string, body: BodyInit) => Promise<Seen>;
};

/** A browser without script. It keeps cookies, says where it comes from, and follows nothing by itself. */
export const visitor = (server: Pick<TestServer, "url">): Visitor => {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit): Promise<Seen> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(server.url + path, {
      redirect: "manual",
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) },
    });
    for (const field of response.headers.getSetCookie()) keep(cookies, field);
    const html = await response.text();
    const location = response.headers.get("location");
    return {
      status: response.status,
      headers: response.headers,
      html,
      text: textOf(html),
      location: location?.startsWith(server.url) ? location.slice(server.url.length) : location,
    };
  };
  const own = { origin: server.url };
  return {
    cookies,
    get: (path, headers = {}) => ask(path, { headers: { ...headers } }),
    post: (path, form = {}, headers = own) =>
      ask(path, {
        method: "POST",
        body: new URLSearchParams({ ...form }),
        headers: { ...headers },
      }),
    send: (path, body) =>
      ask(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { ...own, "content-type": "application/json" },
      }),
    sendFile: (path, body) =>
      ask(path, {
        method: "POST",
        body,
        headers: { ...own, "content-type": "application/octet-stream" },
      }),
  };
};

const keep = (cookies: Map<string, string>, field: string): void => {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(field) ?? [];
  if (/max-age=0(;|$)/i.test(field)) cookies.delete(name);
  else cookies.set(name, value);
};

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

const hash = startHasher().hash(PASSWORD);
let people = 0;

/** Someone new who is signed in to the account area, whose password is `PASSWORD`. */
export const someoneSignedIn = async (
  server: TestServer,
  name = "ann",
): Promise<Visitor & { readonly account: Account }> => {
  const email = `${name}.${++people}@visitors.example`;
  const now = server.clock.wall();
  const passwordHash = await hash;
  const made = await addAccount(server.store, email, { plan: "pro", passwordHash }, now);
  const details = { method: "password", client: "Test", address: "127.0.0.1" } as const;
  const secret = await createBrowserSession(server.store, made.id, details, cryptoRandom, now);
  const browser = visitor(server);
  browser.cookies.set(`docket-${new URL(server.url).port}`, secret);
  return { ...browser, account: made };
};

/** The same, of someone who owns the server from now on, in place of its owner before. */
export const ownerSignedIn = async (server: TestServer, name = "ann") => {
  const someone = await someoneSignedIn(server, name);
  await server.store.writer.write(async ({ orm }) => {
    await orm.update(account).set({ owner: null }).run();
    await orm.update(account).set({ owner: 1 }).where(eq(account.id, someone.account.id)).run();
  });
  return someone;
};
