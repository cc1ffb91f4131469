import { expect, test } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { connect } from "node:net";
import { newcomer, sharedServer, V1 } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

/** Sends a text on one connection, and resolves with what came back once the server has closed it. */
const talk = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (data) => {
      received += String(data);
    });
    socket.on("close", () => resolve(received));
    socket.write(text);
  });

const request = (token: string, line: string, body = "", ...fields: string[]): string =>
  [
    `${line} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${token}`,
    ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
    ...fields,
    "",
    body,
  ].join("\r\n");

const titles = async (token: string): Promise<readonly string[]> =>
  ((await call("GET", "/tasks", { token })).json.tasks as { title: string }[]).map(
    ({ title }) => title,
  );

// Bun closes a connection on which a request arrives before the one ahead of it is answered (RFC 9112, 9.3.2 allows it).
// What was ahead may have been done by then. The guide tells clients so.
test("A request sent before the one ahead of it is answered is never carried out", async () => {
  const token = await (await newcomer(server)).key();
  const post = request(token, `POST ${V1}/tasks`, '{"title":"second"}');
  expect(await talk(request(token, `GET ${V1}/tasks`) + post)).toBe("");
  expect(await titles(token)).toEqual([]);
});

embeddedTest(
  "The one ahead of it may have been done, and its repeat gets the reply that was lost",
  async () => {
    const token = await (await newcomer(server)).key();
    const once = 'Idempotency-Key: "one"';
    const first = request(token, `POST ${V1}/tasks`, '{"title":"first"}', once);
    expect(await talk(first + request(token, `POST ${V1}/tasks`, '{"title":"second"}'))).toBe("");
    const headers = { "idempotency-key": '"one"' };
    let again = await call("POST", "/tasks", { token, body: '{"title":"first"}', headers });
    while (again.status === 409)
      again = await call("POST", "/tasks", { token, body: '{"title":"first"}', headers });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(await titles(token)).toEqual(["first"]);
  },
);
