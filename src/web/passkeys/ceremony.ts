import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Account } from "../../domain/people/account.ts";
import type { NewPasskey } from "../../db/people/passkeys.ts";
import { MINUTE } from "../../domain/base/instant.ts";
import { lazy } from "../../domain/base/lazy.ts";
import { loadLibrary } from "../../domain/base/packing.ts";
import { type Passkey, passkeyHost } from "../../domain/people/passkey.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import type { PageContext } from "../shared/page.ts";

/** Where the executable keeps the library, relative to the code. */
export const PACKED_LIBRARY = "packed/passkeys.js.br";

/** Loaded on first use: it takes a tenth of a second, which no command and no other page needs. */
const library = lazy(() =>
  loadLibrary<typeof import("./library.ts")>(import.meta.dir, PACKED_LIBRARY, "library.ts"),
);

/** How long a browser gives its person to find their device. */
const TIMEOUT = 5 * MINUTE;
/** Ed25519, ES256 (RFC 9053) and RS256 (RFC 8812): every device supports one of them. */
const ALGORITHMS = [-8, -7, -257];

/**
 * Where an answer must come from. `challenge` says whether the answer is to a challenge of ours, and uses
 * that challenge up.
 */
export type Expected = {
  readonly origin: string;
  readonly host: string;
  readonly challenge: (challenge: string) => boolean;
};

/**
 * What a browser needs to create a passkey that can sign in by itself: nobody types a name, but they give a
 * PIN or fingerprint.
 */
export const creationOptions = async (
  host: string,
  account: Account,
  present: readonly Passkey[],
) =>
  (await library()).generateRegistrationOptions({
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
export const requestOptions = async (host: string) =>
  (await library()).generateAuthenticationOptions({
    rpID: host,
    timeout: TIMEOUT,
    userVerification: "required",
  });

/** The passkey in an answer; null if it is not what we asked for. */
export const readMade = async (
  answer: unknown,
  expected: Expected,
): Promise<Omit<NewPasskey, "name"> | null> => {
  const { verifyRegistrationResponse } = await library();
  // The library checks every part of it, and throws if a part is wrong.
  const response = answer as RegistrationResponseJSON;
  try {
    if (!(await isPlain(response))) return null;
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
 * Whether the answer comes without certificates of the device's maker. We asked for none, and to check them
 * the library would fetch lists from addresses written in them. Nobody may make this server call other
 * addresses.
 */
const isPlain = async ({ response }: RegistrationResponseJSON): Promise<boolean> => {
  const { decodeAttestationObject, isoBase64URL } = await library();
  const made = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = made.get("fmt");
  return format === "none" || (format === "packed" && made.get("attStmt").get("x5c") === undefined);
};

/** The counter that the passkey's device reports; null if the answer proves nothing. */
export const readAnswer = async (
  answer: unknown,
  passkey: Passkey & { readonly uid: string },
  expected: Expected,
): Promise<number | null> => {
  const { verifyAuthenticationResponse } = await library();
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

/**
 * The id by which a device groups the account's passkeys (WebAuthn, 5.4.3). It reveals nothing about the
 * person.
 */
const handleOf = (uid: string) => new TextEncoder().encode(uid);

/** The host name for passkeys created here. Refused where browsers do not create any. */
export const hostHere = ({ origin }: PageContext): string => {
  const host = passkeyHost(origin);
  if (host !== null) return host;
  throw invalid(
    "Passkeys work only over https with a host name, or on localhost. They do not work at this address.",
  );
};

/** The same page at an address of this server where passkeys work; null if there is none. */
export const passkeyAddress = ({ origin, service }: PageContext, path: string): string | null => {
  const { publicUrl } = service.settings;
  const secure = publicUrl?.protocol === "https:";
  if (publicUrl && passkeyHost({ hostname: publicUrl.hostname, secure }) !== null)
    return publicUrl.origin + path;
  if (!isLoopback(origin.hostname)) return null;
  const port = origin.port === "" ? "" : `:${origin.port}`;
  return `${origin.secure ? "https" : "http"}://localhost${port}${path}`;
};
