// What Docket uses of the passkey library. The executable holds it as one plain file, without bytecode, which would be
// three times as large: see ceremony.ts.
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
export { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
