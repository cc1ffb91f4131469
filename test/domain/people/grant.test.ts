import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { fits, isVerified, readGrant } from "../../../src/domain/people/grant.ts";
import { Refusal } from "../../../src/domain/base/refusal.ts";
import { cases } from "../../support/random.ts";

// RFC 7636, appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

const verifiers = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...UNRESERVED), { minLength, maxLength })
    .map((letters) => letters.join(""));

test("The verifier in the RFC's own example matches its challenge", () => {
  expect(isVerified(VERIFIER, CHALLENGE)).toBe(true);
});

test("A verifier matches only the challenge made from it", () => {
  const property = fc.property(verifiers(43, 128), verifiers(43, 128), (verifier, other) => {
    expect(isVerified(verifier, challengeOf(verifier))).toBe(true);
    expect(isVerified(other, challengeOf(verifier))).toBe(other === verifier);
    // Plain: the challenge itself as the verifier.
    expect(isVerified(challengeOf(verifier), challengeOf(verifier))).toBe(false);
  });
  fc.assert(property, cases(1_000));
});

test("Only 43 to 128 unreserved characters are a verifier, even if the challenge matches", () => {
  const short = verifiers(0, 42);
  const long = verifiers(129, 200);
  const odd = fc
    .tuple(verifiers(42, 127), fc.nat(), fc.constantFrom("+", "/", "=", " ", "\n", "é", "%"))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place);
    });
  const property = fc.property(fc.oneof(short, long, odd), (verifier) => {
    expect(isVerified(verifier, challengeOf(verifier))).toBe(false);
  });
  fc.assert(property, cases(1_000));
});

const issued = { redirectUri: "https://a.example/", challenge: CHALLENGE };
const exchange = {
  code: "c",
  clientId: "docket-extension",
  redirectUri: "https://a.example/",
  verifier: VERIFIER,
};

test.each([
  ["everything matches", {}, {}, true],
  ["the client differs", { clientId: "docket" }, {}, false],
  ["the redirect differs", { redirectUri: "https://a.example/b" }, {}, false],
  ["the redirect differs in case", { redirectUri: "https://A.example/" }, {}, false],
  ["the verifier differs", { verifier: VERIFIER.replace("d", "e") }, {}, false],
  ["the verifier is the challenge", { verifier: CHALLENGE }, {}, false],
  ["the code was issued without a challenge", {}, { challenge: null }, false],
  ["the code was issued without a redirect", {}, { redirectUri: null }, false],
])("Whether a code matches a request where %s", (_name, sent, kept, expected) => {
  expect(fits({ ...issued, ...kept }, { ...exchange, ...sent })).toBe(expected);
});

const refusedWith = (sent: string) => {
  try {
    return readGrant(new URLSearchParams(sent));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.reason, error.code, error.message];
  }
};

const CODE = "grant_type=authorization_code&code=c&client_id=x&redirect_uri=r&code_verifier=v";
const PAIR = "grant_type=urn:docket:pairing&code=c&client_id=docket-extension";

test("Both kinds of grant are read", () => {
  expect(readGrant(new URLSearchParams(CODE))).toEqual({
    kind: "code",
    exchange: { code: "c", clientId: "x", redirectUri: "r", verifier: "v" },
  });
  expect(readGrant(new URLSearchParams(PAIR))).toEqual({
    kind: "pairing",
    typed: "c",
    deviceName: null,
  });
  expect(readGrant(new URLSearchParams(`${PAIR}&device_name=+ann+`))).toMatchObject({
    deviceName: "ann",
  });
});

test.each([
  ["", "invalid_request", "grant_type is missing."],
  [
    "grant_type=password&username=ann&password=p",
    "unsupported_grant_type",
    "grant_type must be authorization_code or urn:docket:pairing.",
  ],
  [
    "grant_type=refresh_token",
    "unsupported_grant_type",
    "grant_type must be authorization_code or urn:docket:pairing.",
  ],
  [CODE.replace("code=c", "code="), "invalid_request", "code is missing."],
  [CODE.replace("&client_id=x", ""), "invalid_request", "client_id is missing."],
  [CODE.replace("&redirect_uri=r", ""), "invalid_request", "redirect_uri is missing."],
  [CODE.replace("&code_verifier=v", ""), "invalid_request", "code_verifier is missing."],
  [`${CODE}&code=c`, "invalid_request", "Send each parameter only once."],
  [`${CODE}&x=1&x=1`, "invalid_request", "Send each parameter only once."],
  [PAIR.replace("code=c", ""), "invalid_request", "code is missing."],
  [
    PAIR.replace("docket-extension", "docket"),
    "invalid_client",
    "client_id must be docket-extension.",
  ],
  [
    `${PAIR}&device_name=${"a".repeat(101)}`,
    "invalid_request",
    "device_name must be 1 to 100 printable characters. This one has 101. Send a different name with the same code.",
  ],
])("The grant %p is refused", (sent, code, message) => {
  expect(refusedWith(sent)).toEqual(["malformed", code, message]);
});
