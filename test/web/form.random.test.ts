import { expect, test } from "bun:test";
import fc from "fast-check";
import { cases } from "../support/random.ts";
import { sharedServer } from "../support/replies.ts";
import { POSTS, typeOf } from "../support/web/table.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();

/** Fields of our forms and of none, with what people and programs may send in them. */
const names = fc.constantFrom(
  ..."email password next code name read write expires current revoke_keys grace decision".split(
    " ",
  ),
  ..."device_name uri redirect_uri state code_challenge id cursor __proto__ issuer subject".split(
    " ",
  ),
  "",
);
const values = fc.oneof(
  fc
    .string({ unit: "binary", maxLength: 30 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    "%00",
    "%ED%A0%80",
    "%",
    "%FF",
    "on",
    "90d",
    "-1",
    "1e400",
    "%0D%0A",
    "ann%40a.example",
  ),
  fc.constantFrom(
    "//evil.example",
    "https%3A%2F%2Fa.chromiumapp.org%2F",
    "'%3B--",
    "%F0%9F%90%88",
    "a".repeat(3_000),
  ),
);
const forms = fc
  .array(fc.tuple(names, values), { maxLength: 8 })
  .map((fields) => fields.map((pair) => pair.join("=")).join("&"));
const anyBody = fc.oneof(
  { weight: 5, arbitrary: forms },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)) },
  { weight: 1, arbitrary: fc.json({ noUnicodeString: false }) },
);

test.each(POSTS)("whatever is sent to %s gets an answer, and never a 500", async (_name, place) => {
  const ann = await someoneSignedIn(server);
  const cookie = [...ann.cookies].map((pair) => pair.join("=")).join("; ");
  const stranger = { origin: server.url, "content-type": typeOf(place) };
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      for (const headers of [stranger, { ...stranger, cookie }]) {
        const sent = { method: "POST", redirect: "manual", headers, body } as const;
        const response = await fetch(server.url + place.address, sent);
        const html = await response.text();
        expect(response.status, html).toBeOneOf([200, 303, 400, 401, 403, 404, 409, 413, 422, 429]);
      }
    }),
    cases(25),
  );
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
