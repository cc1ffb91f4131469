import { addAccount } from "../../src/db/people/accounts.ts";
import { createKey } from "../../src/db/people/api-keys.ts";
import { createBrowserSession } from "../../src/db/people/browser-sessions.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { openStore } from "../../src/db/open.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { startLog } from "../../src/server/log.ts";
import { startApp } from "../../src/start.ts";
import { SETTINGS } from "../support/server.ts";

/** A job is one request; `time` tells the first run from the second. */
type Job = (time: number) => Promise<Response>;

const clock = { wall: () => Date.now(), steady: () => performance.now() };

/** The real server on a free port, with one account, and the jobs to run against it. */
export const startWorld = async (directory: string) => {
  const app = await startApp({
    directory,
    host: "127.0.0.1",
    port: 0,
    tls: null,
    clock,
    log: startLog(
      "json",
      () => {},
      () => new Date(),
    ),
    settings: SETTINGS,
  });
  const store = await openStore({ directory, role: "visitor", now: Date.now() });
  const plan = { plan: "pro" as const, passwordHash: null };
  const { id } = await addAccount(store, "ann@example.org", plan, Date.now());
  const session = await createSession(store, id, "laptop", cryptoRandom, Date.now());
  const keyNamed = (name: string) =>
    createKey(
      store,
      id,
      { name, scopes: ["read", "write"], restriction: null, expiresAt: null },
      cryptoRandom,
      Date.now(),
    );
  const key = await keyNamed("scout");
  const unwanted = [await keyNamed("one"), await keyNamed("two")];
  const details = { method: "password" as const, client: "Test", address: "127.0.0.1" };
  const browser = await createBrowserSession(store, id, details, cryptoRandom, Date.now());
  const url = `http://127.0.0.1:${app.port}`;
  const post = (path: string, token: string, body: unknown): Promise<Response> =>
    fetch(url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const cookie = `docket-${app.port}=${browser}`;
  const jobs: Readonly<Record<string, Job>> = {
    "POST /sync": (time) =>
      post("/api/public/v1/sync", session.secret, [
        {
          table: "sync_tasks",
          id: "lisbon",
          updated_at: new Date(Date.now() + time).toISOString(),
          payload: { title: `Book flights ${time}`, status: "todo", pages: [] },
        },
      ]),
    "POST /inbox/tabs": (time) =>
      post("/api/public/v1/inbox/tabs", key.secret, [
        { url: `https://example.org/${time}`, title: "A page" },
      ]),
    "GET /tasks?q=": () =>
      fetch(`${url}/api/public/v1/tasks?q=flights`, {
        headers: { authorization: `Bearer ${session.secret}` },
      }),
    "MCP write_note": (time) =>
      post("/mcp", key.secret, {
        jsonrpc: "2.0",
        id: time,
        method: "tools/call",
        params: { name: "write_note", arguments: { task_id: "lisbon", text: `Note ${time}` } },
      }),
    "Revoke a key": (time) =>
      fetch(`${url}/account/keys/${unwanted[time - 1]?.key.id}/revoke`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, origin: url, "content-type": "application/x-www-form-urlencoded" },
        body: "",
      }),
  };
  const stop = async (): Promise<void> => {
    await store.close();
    await app.stop(1_000);
  };
  return { jobs, stop };
};
