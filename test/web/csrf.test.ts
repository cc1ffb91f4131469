import { describe, expect, test } from "bun:test";
import { sharedServer } from "../support/replies.ts";
import { GETS, POSTS, storedIn, typeOf } from "../support/web/table.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();
const ann = await someoneSignedIn(server);
await server.person("bob@example.org");
const { port } = new URL(server.url);

const REFUSED =
  "This request did not come from one of this server's pages, so nothing was changed. Open your account and try again there.";

const ORIGINS: Readonly<Record<string, string | null>> = {
  "our own": server.url,
  foreign: "https://evil.example",
  "our host, another port": `http://127.0.0.1:${Number(port) + 1}`,
  "our host, another scheme": server.url.replace("http:", "https:"),
  "another name of ours": `http://localhost:${port}`,
  "our origin with a path": `${server.url}/`,
  "one that begins like ours": `${server.url}.evil.example`,
  hidden: "null",
  "not said": null,
};
const SITES = ["same-origin", "same-site", "cross-site", "none", "same-origin, same-origin", null];

/** Where a request says it comes from, in `Sec-Fetch-Site` and in `Origin`. */
const SAYINGS = SITES.flatMap((site) =>
  Object.entries(ORIGINS).map(([name, origin]) => ({
    name: `Sec-Fetch-Site ${site ?? "not said"}, Origin ${name}`,
    headers: {
      ...(site === null ? {} : { "sec-fetch-site": site }),
      ...(origin === null ? {} : { origin }),
    },
    // `Sec-Fetch-Site` counts. If the browser does not send it, `Origin` does.
    ours: site === null ? name === "our own" : site === "same-origin",
  })),
);

/** Kinds of body that another site can make a browser send, and one that it cannot. */
const BODIES: Readonly<Record<string, string>> = {
  "application/x-www-form-urlencoded": "name=evil&decision=allow&email=a%40b.example",
  "text/plain": '{"name": "evil", "x": "="}',
  "multipart/form-data; boundary=b":
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
  "application/json": '{"name": "evil"}',
};

const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

const post = async (
  path: string,
  type: string,
  headers: Readonly<Record<string, string>>,
  body = BODIES[type] ?? "",
) => {
  const response = await fetch(server.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, "content-type": type, ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
};

describe("a POST from elsewhere", () => {
  test.each(POSTS)("to %s does nothing, whatever its body", async (_name, { address }) => {
    const before = storedIn(server);
    for (const { name, headers, ours } of SAYINGS) {
      if (ours) continue;
      for (const type of Object.keys(BODIES)) {
        const { status, text } = await post(address, type, headers);
        expect([name, type, status]).toEqual([name, type, 403]);
        expect(text).toContain(REFUSED);
      }
    }
    expect(storedIn(server)).toEqual(before);
    expect((await ann.get("/account")).status).toBe(200);
  });
});

describe("a POST from our own pages", () => {
  test.each(
    SAYINGS.filter(({ ours }) => ours).map(({ name, headers }) => [name, headers] as const),
  )("%s is taken", async (_name, headers) => {
    const type = "application/x-www-form-urlencoded";
    expect((await post("/account/confirm", type, headers, "next=")).status).toBe(422);
  });

  test.each(POSTS)("to %s is accepted only with the right content type", async (_name, place) => {
    const before = storedIn(server);
    for (const type of [...Object.keys(BODIES), ""]) {
      if (type === typeOf(place)) continue;
      const { status, text } = await post(place.address, type, { origin: server.url });
      expect([type, status]).toEqual([type, 415]);
      expect(text).toContain(`This page accepts only ${typeOf(place)}.`);
    }
    expect(storedIn(server)).toEqual(before);
  });
});

test("no GET changes anything, whoever sends it", async () => {
  const before = storedIn(server);
  for (const [, { address }] of GETS)
    for (const headers of [{ cookie }, {}])
      await fetch(server.url + address, { redirect: "manual", headers });
  expect(storedIn(server)).toEqual(before);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
