import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Account } from "../../domain/people/account.ts";
import type { NewPasskey } from "../../db/people/passkeys.ts";
import { MINUTE } from "../../domain/base/instant.ts";
import type { Passkey } from "../../domain/people/passkey.ts";

/**
 * Loaded at first use: it takes a tenth of a second, which no command and no other page needs. Not by
 * `import()`: in the executable Bun 1.4.5 then runs the package's files in another order than they ask
 * for, and it fails for want of a part of its own.
 */
const library = (): typeof import("@simplewebauthn/server") => require("@simplewebauthn/server");
const helpers = (): typeof import("@simplewebauthn/server/helpers") =>
  require("@simplewebauthn/server/helpers");

/** How long a browser lets its person look for their device. */
const TIMEOUT = 5 * MINUTE;
/** Ed25519, ES256, RS256 (RFC 9053): one of them is in every device. */
const ALGORITHMS = [-8, -7, -257];

/** Where an answer must come from, and which challenges it may answer: each is asked for once. */
export type Expected = {
  readonly origin: string;
  readonly host: string;
  readonly challenge: (challenge: string) => boolean;
};

/** What a browser needs to make a passkey that signs in by itself: no name is typed, a PIN or finger is. */
export const creationOptions = (host: string, account: Account, present: readonly Passkey[]) =>
  library().generateRegistrationOptions({
    rpName: "Docket",
    rpID: host,
    userID: handleOf(account.uid),
    userName: account.email,
    userDisplayName: account.email,
    timeout: TIMEOUT,
    attestationType: "none",
    excludeCredentials: present.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });

/** What a browser needs to let its person choose one of their passkeys for this host. */
export const requestOptions = (host: string) =>
  library().generateAuthenticationOptions({
    rpID: host,
    timeout: TIMEOUT,
    userVerification: "required",
  });

/** The passkey that an answer brings, null if it is not what was asked for. */
export const readMade = async (
  answer: unknown,
  expected: Expected,
): Promise<Omit<NewPasskey, "name"> | null> => {
  const { verifyRegistrationResponse } = library();
  // The library looks at every part of it, and throws at what is not as it should be.
  const response = answer as RegistrationResponseJSON;
  try {
    if (!isPlain(response)) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.host,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, publicKey, counter, host: expected.host };
  } catch {
    return null;
  }
};

/**
 * Without certificates of the device's maker. None were asked for, and to look at them the library would
 * fetch lists from addresses that stand in them: nobody makes this server call elsewhere.
 */
const isPlain = ({ response }: RegistrationResponseJSON): boolean => {
  const { decodeAttestationObject, isoBase64URL } = helpers();
  const made = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = made.get("fmt");
  return format === "none" || (format === "packed" && made.get("attStmt").get("x5c") === undefined);
};

/** The passkey's counter as its device now tells it, null if the answer proves nothing. */
export const readAnswer = async (
  answer: unknown,
  passkey: Passkey & { readonly uid: string },
  expected: Expected,
): Promise<number | null> => {
  const { verifyAuthenticationResponse } = library();
  // As above.
  const response = answer as AuthenticationResponseJSON;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.host,
      credential: { ...passkey, publicKey: new Uint8Array(passkey.publicKey) },
    });
    const handle = Buffer.from(handleOf(passkey.uid)).toString("base64url");
    const own = passkey.host === expected.host && response.response.userHandle === handle;
    return verified && own ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
};

/** By which a device keeps the account's passkeys together (WebAuthn, 5.4.3): it tells nothing of the person. */
const handleOf = (uid: string) => new TextEncoder().encode(uid);
