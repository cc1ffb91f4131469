import { expect } from "bun:test";
import { SECOND } from "../../../src/domain/base/instant.ts";
import { totpCode, totpStep } from "../../../src/domain/people/totp.ts";
import type { TestServer } from "../server.ts";
import { someoneSignedIn, type Visitor } from "./visitor.ts";

/** An app on a phone that holds one secret. */
export type App = {
  /** The code that it shows now. The server's clock moves on first: a code counts only once. */
  readonly next: () => string;
  /** The code of some steps away from now. */
  readonly at: (off: number) => string;
};

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The bytes of a secret as people type it. */
export const secretOf = (text: string): Buffer => {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((eight) => Number.parseInt(eight, 2)));
};

/** The app, once the secret of a page has been typed into it. */
export const appFrom = (server: TestServer, html: string): App => {
  const secret = secretOf(/<code class="copy">([A-Z2-7]{32})<\/code>/.exec(html)?.[1] ?? "");
  expect(secret).toHaveLength(20);
  const at = (off: number) => totpCode(secret, totpStep(server.clock.wall()) + off);
  return {
    at,
    next: () => {
      server.clock.advance(30 * SECOND);
      return at(0);
    },
  };
};

export const ticketIn = (html: string): string =>
  /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? "";

/** Turns the second factor on. Returns the app and the recovery codes. */
export const turnOn = async (server: TestServer, ann: Visitor) => {
  const shown = await ann.post("/account/authenticator/new");
  expect(shown.status).toBe(200);
  const app = appFrom(server, shown.html);
  const form = { ticket: ticketIn(shown.html), code: app.next() };
  const seen = await ann.post("/account/authenticator", form);
  expect([seen.status, seen.text]).toEqual([
    200,
    expect.stringContaining("The second factor is on."),
  ]);
  const codes = /<pre class="copy">([^<]*)<\/pre>/.exec(seen.html)?.[1]?.split("\n") ?? [];
  return { app, codes };
};

/** Ann, signed in, with the second factor on. */
export const annWithApp = async (server: TestServer, signedIn = someoneSignedIn) => {
  const ann = await signedIn(server);
  return { ann, ...(await turnOn(server, ann)) };
};
