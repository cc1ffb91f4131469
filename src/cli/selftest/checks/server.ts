import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { ENDPOINTS } from "../endpoints.ts";

const NOWHERE = "/no-such-path";

export const SERVER = checksOf("server", [], {
  "GET /healthz answers 200 to everyone": async ({ call }) => {
    wants(await call("nobody", "GET", "!/healthz"), 200);
  },

  "An unknown path answers 404": async ({ call }) => {
    refused(await call("session", "GET", NOWHERE), 404);
  },

  "DELETE and PUT answer 405 on every path": async ({ call }) => {
    const paths = new Set([...ENDPOINTS.map(([, path]) => path), NOWHERE]);
    for (const method of ["DELETE", "PUT"]) {
      // With a credential, a server that breaks this rule might really delete what is at the path.
      for (const path of paths) refused(await call("nobody", method, path), 405);
      refused(await call("session", method, "/tasks/no-such-task"), 405);
    }
  },

  "A method that a path does not have answers 405 with Allow": async ({ call }) => {
    for (const [method, path] of [
      ["POST", "/me"],
      ["PATCH", "/sync"],
      ["PATCH", "/projects"],
      ["GET", "/inbox/tabs"],
    ] as const) {
      const answer = await call("session", method, path);
      refused(answer, 405);
      must(answer.headers.has("allow"), `${answer.request}: the 405 has no Allow header.`);
    }
  },

  "Pages of any origin may call the API, without cookies": async ({ call }) => {
    const headers = { origin: "https://extension.example" };
    for (const [method, status] of [
      ["OPTIONS", 204],
      ["GET", 401],
    ] as const) {
      const answer = await call("nobody", method, "/tasks", { headers });
      wants(answer, status);
      const allowed = answer.headers.get("access-control-allow-origin");
      must(allowed === "*", `${answer.request}: Access-Control-Allow-Origin is ${allowed}, not *.`);
      const cookies = answer.headers.has("access-control-allow-credentials");
      must(!cookies, `${answer.request} has Access-Control-Allow-Credentials.`);
    }
  },
});
