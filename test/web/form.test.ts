import { describe, expect, test } from "bun:test";
import { sharedServer, until } from "../support/replies.ts";
import { breakOff, chunk, exchange, head } from "../support/socket.ts";
import { POSTS } from "../support/web/table.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();
const FORM = "application/x-www-form-urlencoded";

/** Posts raw bytes to a page, as a browser on one of our own pages would. */
const post = async (
  path: string,
  body: Uint8Array<ArrayBuffer> | string,
  { type = FORM, cookie = "" } = {},
) => {
  const response = await fetch(server.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: server.url, "content-type": type, ...(cookie ? { cookie } : {}) },
    body,
  });
  return { status: response.status, html: await response.text() };
};

const SIGN_IN = "/sign-in";
const says = (text: string) => expect.stringContaining(text);

describe("a form", () => {
  test("that is cut off is the sender's fault, and no error in the log", async () => {
    const fields = ["Host: localhost", `Origin: http://localhost`, `Content-Type: ${FORM}`];
    const start = head("POST /sign-in", ...fields, "Content-Length: 1000");
    const before = server.logged.length;
    await breakOff(server.url, `${start}email=a`);
    await until(() => server.logged.slice(before).some((line) => line.includes("/sign-in")));
    const logged = server.logged.slice(before).map((line) => JSON.parse(line));
    expect(logged).toEqual([expect.objectContaining({ message: "request", status: 400 })]);
  });

  test("that is too large is refused, with or without a Content-Length", async () => {
    const body = `email=${"x".repeat(65_531)}`;
    expect(body).toHaveLength(65_537);
    expect(await post(SIGN_IN, body)).toEqual({
      status: 413,
      html: says("The form is too large."),
    });
    expect((await post(SIGN_IN, body.slice(0, 65_536))).status).toBe(422);
  });

  test("that never ends is refused as soon as it is too large", async () => {
    const fields = ["Host: localhost", "Origin: http://localhost", `Content-Type: ${FORM}`];
    const reply = await exchange(
      server.url,
      (function* () {
        yield head("POST /sign-in", ...fields, "Transfer-Encoding: chunked");
        for (;;) yield chunk("x".repeat(10_000));
      })(),
    );
    expect([reply.status, reply.body]).toEqual([413, says("The form is too large.")]);
  });

  test("from a stranger is not read where only people who are signed in may post", async () => {
    const fields = ["Host: localhost", "Origin: http://localhost", `Content-Type: ${FORM}`];
    const reply = await exchange(server.url, [
      head("POST /account/confirm", ...fields, "Content-Length: 100"),
    ]);
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/sign-in"]);
  });

  test.each([
    ["text", "text/plain"],
    ["JSON", "application/json"],
    ["a form of files", "multipart/form-data; boundary=x"],
    ["a form by a longer name", `${FORM}2`],
    ["nothing", "x"],
  ])("that says it is %s is refused", async (_name, type) => {
    expect(await post(SIGN_IN, "email=a", { type })).toEqual({
      status: 415,
      html: says(`This page accepts only ${FORM}.`),
    });
  });

  test("is read as UTF-8, whatever charset it names", async () => {
    for (const type of [`${FORM}; charset=UTF-8`, FORM.toUpperCase(), `${FORM};charset=utf-16`])
      expect((await post(SIGN_IN, "email=%C3%BC", { type })).html).toContain('value="ü"');
  });

  test.each([
    ["a lone byte", [0xff]],
    ["half a character", [0xc3]],
    ["a lone surrogate", [0xed, 0xa0, 0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
  ])("that is not UTF-8 (%s) is refused", async (_name, bytes) => {
    const body = new Uint8Array([...Buffer.from("email=a"), ...bytes]);
    expect(await post(SIGN_IN, body)).toEqual({
      status: 400,
      html: says("The form is not valid UTF-8."),
    });
  });

  test.each([
    ["a lone byte", "%FF", "\uFFFD"],
    ["a lone surrogate", "%ED%A0%80", "\uFFFD\uFFFD\uFFFD"],
    ["no number", "%zz", "%zz"],
    ["half an escape", "%e", "%e"],
  ])("with an escape that is %s is read as browsers read it", async (_name, sent, shown) => {
    const { status, html } = await post(SIGN_IN, `email=${sent}&password=x`);
    expect([status, html]).toEqual([422, says(`value="${shown}"`)]);
  });

  test("uses the last value of a field that is sent twice", async () => {
    expect((await post(SIGN_IN, "email=a&email=b&password=")).html).toContain('value="b"');
  });

  test.each([
    ["nothing", ""],
    ["a NUL", "email=a%00b&password=%00&next=%00"],
    ["10,000 fields", Array.from({ length: 10_000 }, (_, at) => `${at.toString(36)}=`).join("&")],
    ["10,000 times the same field", "email=a&".repeat(8_000)],
    ["names that mean something to JavaScript", "__proto__=1&constructor=2&toString=3&email=a"],
    ["only separators", "&=&=&&==&"],
    ["a very long line", "email=".padEnd(65_000, "%0A")],
    ["brackets", "email[]=a&email[x]=b"],
  ])("with %s gets the form again", async (_name, body) => {
    const { status, html } = await post(SIGN_IN, body);
    expect([status, html]).toEqual([422, says("Enter your full e-mail address.")]);
  });
});

describe("a page that takes JSON", () => {
  const pages = POSTS.filter(([, { body }]) => body === "json");

  test.each(pages)(
    "%s: refuses a body that is not JSON, or is too large",
    async (_name, { address }) => {
      const ann = await someoneSignedIn(server);
      const cookie = [...ann.cookies].map((pair) => pair.join("=")).join("; ");
      const options = { type: "application/json", cookie };
      for (const [body, status] of [
        ["", 400],
        ["{", 400],
        ["[".repeat(60_000), 400],
        [`"${"x".repeat(65_535)}"`, 413],
        [new Uint8Array([0x22, 0xff, 0x22]), 400],
      ] as const)
        expect((await post(address, body, options)).status).toBe(status);
      for (const body of ["null", "7", '"x"', "[]", "{}", '{"__proto__": {"id": 1}}'])
        expect((await post(address, body, options)).status).toBeWithin(200, 500);
    },
  );
});
