import { refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { ENDPOINTS } from "../endpoints.ts";
import { FLAG, TEXT, UTC } from "../match.ts";

/** Each in the form of a token that no server has issued. */
const WRONG: readonly Readonly<Record<string, string>>[] = [
  { authorization: "Bearer" },
  { authorization: "Bearer docket" },
  { authorization: `Bearer docket_live_${"0".repeat(38)}` },
  { authorization: `Bearer docket_sess_${"0".repeat(38)}` },
  { authorization: "Basic ZG9ja2V0OmRvY2tldA==" },
  { cookie: "session=docket" },
];

export const CREDENTIALS = checksOf("credentials", [], {
  "Every endpoint answers 401 without a credential": async ({ call }) => {
    for (const [method, path] of ENDPOINTS)
      refused(await call("nobody", method, path, method === "GET" ? {} : { body: [] }), 401);
  },

  "A stranger gets 401 whatever the body is": async ({ call }) => {
    refused(await call("nobody", "POST", "/tasks", { text: "{" }), 401);
  },

  "A wrong token answers 401": async ({ call }) => {
    for (const headers of WRONG)
      refused(
        await call("nobody", "GET", "/me", { headers }),
        401,
        `GET /me with ${Object.entries(headers).flat().join(": ")}`,
      );
  },

  "A token in the query counts for nothing": async ({ call }) => {
    for (const name of ["access_token", "token", "key"])
      refused(await call("nobody", "GET", `/me?${name}=docket`), 401);
  },

  "GET /me describes the session": async ({ call }) => {
    const account = { id: TEXT, email: TEXT, plan: TEXT };
    const session = { credential: "session", scopes: ["read", "write"] };
    wants(await call("session", "GET", "/me"), 200, { ...account, ...session });
  },

  "GET /entitlement says what the account may do, and until when": async ({ call }) => {
    const plan = { pro: FLAG, plan: TEXT, source: TEXT };
    const times = { expires_at: UTC, recheck_after: UTC };
    wants(await call("session", "GET", "/entitlement"), 200, { ...plan, ...times });
  },
});
