import { expect, test } from "bun:test";
import { createSession } from "../../src/db/people/sessions.ts";
import { serveEntryPoints } from "../../src/server/entry-points.ts";
import { ROUTES } from "../../src/http/routes.ts";
import { serveRoutes } from "../../src/http/server.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { accountFor, openForTest, pushTask } from "../db/_store.ts";
import { NOON, testClock } from "../support/server.ts";
import { serviceFor } from "./_service.ts";

test.each([
  ["/healthz"],
  ["/api/public/v1/me"],
  ["/api/public/v1/entitlement"],
  ["/api/public/v1/tasks"],
  ["/api/public/v1/tasks?status=todo&limit=1"],
  ["/api/public/v1/tasks/t1"],
  ["/api/public/v1/sync?since=2026-03-04T12:00:00.000Z"],
])("GET %s is answered without a promise, because it waits for nothing", async (path) => {
  const store = openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const { secret } = await createSession(store, ann, "laptop", cryptoRandom, NOON);
  const service = serviceFor(store, testClock());
  const { fetch } = serveEntryPoints(service, [serveRoutes(service, ROUTES)], async () => []);
  const ask = () =>
    fetch(
      new Request(`http://localhost${path}`, {
        headers: { host: "localhost", authorization: `Bearer ${secret}` },
      }),
      // Used only for a refused call.
      { requestIP: () => null } as never,
    );
  // The first call may have to write the time lease.
  expect((await ask()).status).toBe(200);
  expect(ask()).toBeInstanceOf(Response);
});
