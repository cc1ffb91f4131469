import { expect, test } from "bun:test";
import fc from "fast-check";
import { parametersOf, readAuthorization } from "../../../src/domain/people/oauth.ts";
import { cases } from "../../support/random.ts";

const REDIRECT = "https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const GOOD = {
  response_type: "code",
  client_id: "docket-extension",
  redirect_uri: REDIRECT,
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  state: "s1",
};

type Sent = Readonly<Record<string, string | readonly string[]>>;

const read = (sent: Sent, listed: readonly string[] = []) =>
  readAuthorization(
    new URLSearchParams(
      Object.entries(sent).flatMap(([name, values]) =>
        [values].flat().map((value) => [name, value]),
      ),
    ),
    listed,
  );

test("A complete request is read", () => {
  expect(read(GOOD)).toEqual({
    kind: "good",
    request: {
      redirectUri: REDIRECT,
      challenge: CHALLENGE,
      state: "s1",
      deviceName: null,
      silent: false,
    },
  });
});

test.each([
  ["a name for the device", { device_name: " ann's laptop " }, { deviceName: "ann's laptop" }],
  ["a name that cannot be shown", { device_name: "a\u0000b" }, { deviceName: null }],
  ["a name that is too long", { device_name: "a".repeat(101) }, { deviceName: null }],
  ["a name of spaces", { device_name: "   " }, { deviceName: null }],
  ["no page", { prompt: "none" }, { silent: true }],
  ["no page, among other prompts", { prompt: "login none" }, { silent: true }],
  ["a page", { prompt: "consent" }, { silent: false }],
  ["an unknown parameter", { scope: "admin", nonce: "n", response_mode: "query" }, {}],
  ["a state of 512 characters", { state: "~".repeat(512) }, { state: "~".repeat(512) }],
  ["a state of one character", { state: " " }, { state: " " }],
])("A request can ask for %s", (_name, sent, expected) => {
  expect(read({ ...GOOD, ...sent })).toMatchObject({ kind: "good", request: expected });
});

const CLIENT =
  "This link was not made by the Docket extension: its client_id must be docket-extension. Start again from the extension.";
const NOWHERE =
  "This link must say exactly once where to return to (redirect_uri). Start again from the extension.";

test.each<[string, Sent, string]>([
  ["no client", { client_id: "" }, CLIENT],
  ["another client", { client_id: "docket" }, CLIENT],
  ["a client in capitals", { client_id: "Docket-Extension" }, CLIENT],
  ["two clients", { client_id: ["docket-extension", "docket-extension"] }, CLIENT],
  ["no redirect", { redirect_uri: "" }, NOWHERE],
  ["two redirects", { redirect_uri: [REDIRECT, "https://evil.example/"] }, NOWHERE],
  ["the same redirect twice", { redirect_uri: [REDIRECT, REDIRECT] }, NOWHERE],
  [
    "a redirect elsewhere",
    { redirect_uri: "https://evil.example/" },
    "This link would return to https://evil.example/, which this server does not know as the address of an extension. Connect the extension with a pairing code from the Devices page, or ask the owner of this server to add the address to DOCKET_EXTENSION_REDIRECTS.",
  ],
])("A request with %s gets no answer at its redirect address", (_name, sent, problem) => {
  // Whatever else is wrong, nothing is sent to an address that nobody vouched for.
  expect(read({ ...GOOD, ...sent })).toEqual({ kind: "unusable", problem });
  expect(read({ ...sent, client_id: sent["client_id"] ?? GOOD.client_id })).toMatchObject({
    kind: "unusable",
  });
});

const STATE = "state must be 1 to 512 printable ASCII characters.";
const METHOD = "code_challenge_method must be S256.";
const WRONG_CHALLENGE =
  "code_challenge must be the SHA-256 hash of code_verifier, encoded as base64url (43 characters).";
const REPEATED = "Send each parameter only once.";

test.each<[string, Sent, string, string, string | null]>([
  [
    "no type",
    { response_type: "" },
    "invalid_request",
    "response_type is missing. It must be code.",
    "s1",
  ],
  [
    "the type of the implicit flow",
    { response_type: "token" },
    "unsupported_response_type",
    "response_type must be code.",
    "s1",
  ],
  [
    "two types in one",
    { response_type: "code token" },
    "unsupported_response_type",
    "response_type must be code.",
    "s1",
  ],
  ["a type twice", { response_type: ["code", "code"] }, "invalid_request", REPEATED, "s1"],
  ["no state", { state: "" }, "invalid_request", STATE, null],
  ["a state that is too long", { state: "a".repeat(513) }, "invalid_request", STATE, null],
  ["a non-ASCII state", { state: "é" }, "invalid_request", STATE, null],
  ["a state of two lines", { state: "a\r\nb" }, "invalid_request", STATE, null],
  ["two states", { state: ["a", "b"] }, "invalid_request", REPEATED, null],
  ["no challenge", { code_challenge: "" }, "invalid_request", WRONG_CHALLENGE, "s1"],
  [
    "a short challenge",
    { code_challenge: CHALLENGE.slice(1) },
    "invalid_request",
    WRONG_CHALLENGE,
    "s1",
  ],
  [
    "a long challenge",
    { code_challenge: `${CHALLENGE}A` },
    "invalid_request",
    WRONG_CHALLENGE,
    "s1",
  ],
  [
    "a padded challenge",
    { code_challenge: `${CHALLENGE.slice(1)}=` },
    "invalid_request",
    WRONG_CHALLENGE,
    "s1",
  ],
  [
    "a challenge with a line end after it",
    { code_challenge: `${CHALLENGE}\n` },
    "invalid_request",
    WRONG_CHALLENGE,
    "s1",
  ],
  ["two challenges", { code_challenge: [CHALLENGE, CHALLENGE] }, "invalid_request", REPEATED, "s1"],
  ["no method", { code_challenge_method: "" }, "invalid_request", METHOD, "s1"],
  ["the plain method", { code_challenge_method: "plain" }, "invalid_request", METHOD, "s1"],
  ["the method in lower case", { code_challenge_method: "s256" }, "invalid_request", METHOD, "s1"],
  ["any repeated parameter", { x: ["1", "2"] }, "invalid_request", REPEATED, "s1"],
])(
  "A request with %s gets its error at the redirect address",
  (_name, sent, error, error_description, state) => {
    expect(read({ ...GOOD, ...sent })).toEqual({
      kind: "wrong",
      redirectUri: REDIRECT,
      state,
      error: { error, error_description },
    });
    // RFC 6749, 4.1.2.1.
    expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  },
);

test("A request that is sent again with its own parameters is the same request", () => {
  const state = fc
    .array(fc.integer({ min: 0x20, max: 0x7e }), { minLength: 1, maxLength: 512 })
    .map((codes) => String.fromCharCode(...codes));
  const property = fc.property(state, fc.webPath(), (text, path) => {
    const listed = `https://sign-in.example${path}?a=b%20c`;
    const first = read({ ...GOOD, state: text, redirect_uri: listed }, [listed]);
    if (first.kind !== "good") throw new Error("It was not read.");
    const again = new URLSearchParams(`${new URLSearchParams(parametersOf(first.request))}`);
    expect(readAuthorization(again, [listed])).toEqual(first);
    expect(first.request).toMatchObject({ state: text, redirectUri: listed });
  });
  fc.assert(property, cases(500));
});
