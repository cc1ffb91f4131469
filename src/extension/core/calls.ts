import { connection, endSession } from "../connect/connection.ts";
import { mayReach, notReached } from "../connect/permission.ts";

/**
 * Returns how the client of one account calls the API. The token is read for each call: signing in or out on another
 * page counts at once, and another account's token is never used.
 */
export const callsOf =
  (server: string, accountId: string) =>
  async (path: string, init: RequestInit): Promise<Response> => {
    const now = await connection.read();
    const token = now?.server === server && now.account.id === accountId ? now.token : null;
    // As the API itself says it: a bare 401 could be some proxy's.
    if (token === null) return Response.json({ error: "You are not signed in." }, { status: 401 });
    // The server lets any origin call it, so the request would succeed against the person's will.
    if (!(await mayReach(server)))
      return Response.json({ error: notReached(server) }, { status: 403 });
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(`${server}/api/public/v1${path}`, {
      ...init,
      headers,
      credentials: "omit",
      cache: "no-store",
      // The token, and what is saved, are meant for this one server.
      redirect: "manual",
    });
    if (response.status === 401 && (await isFromDocket(response.clone()))) await endSession(token);
    return response;
  };

const isFromDocket = async (response: Response): Promise<boolean> => {
  const reply: unknown = await response.json().catch(() => null);
  return typeof (reply as { readonly error?: unknown } | null)?.error === "string";
};
