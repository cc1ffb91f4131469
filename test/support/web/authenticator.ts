import { createHash, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { type Cbor, cbor } from "./cbor.ts";
import type { Certificate } from "./certificate.ts";

/** The parts that a device looks at of what our server sends a browser to create or use a passkey. */
type Options = {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
};

/** How an answer differs from that of an honest browser and device. */
type Lie = {
  readonly origin?: string;
  readonly challenge?: string;
  readonly host?: string;
  readonly verified?: boolean;
  readonly counter?: number;
  readonly handle?: string;
  readonly type?: string;
  /** What the answer says about the device's maker: a certificate, or a signature by the device itself. */
  readonly maker?: Certificate | "none, signed";
};

export type Device = ReturnType<typeof newDevice>;

/** A device with one passkey, and the browser at `origin` that asks it. It counts its answers. */
export const newDevice = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = Buffer.from(cryptoRandom(16)).toString("base64url");
  let counter = 0;
  let handle = "";

  const clientData = (type: string, options: Options, lie: Lie): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? options.challenge,
        origin: lie.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const deviceData = (host: string, flags: number, lie: Lie, more: Uint8Array): Buffer => {
    const said = Buffer.alloc(5);
    said.writeUInt8(flags | PRESENT | (lie.verified === false ? 0 : VERIFIED));
    said.writeUInt32BE(lie.counter ?? ++counter, 1);
    return Buffer.concat([sha256(lie.host ?? host), said, more]);
  };

  return {
    id,
    /** Creates the passkey. Returns what `navigator.credentials.create` returns, as JSON. */
    make: (options: Options, lie: Lie = {}) => {
      handle = options.user?.id ?? "";
      const rawId = Buffer.from(id, "base64url");
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(x)],
          [-3, bytes(y)],
        ]),
      );
      const about = Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, key]);
      const authData = deviceData(options.rp?.id ?? "", HAS_KEY, lie, about);
      const client = clientData("webauthn.create", options, lie);
      const point = Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]);
      const [format, statement] =
        lie.maker === undefined
          ? (["none", new Map()] as const)
          : lie.maker === "none, signed"
            ? selfSigned(privateKey, authData, client)
            : certified(lie.maker, authData, client, Buffer.concat([rawId, point]));
      const made = new Map<string, Cbor>([
        ["fmt", format],
        ["attStmt", statement],
        ["authData", authData],
      ]);
      return credential(id, {
        clientDataJSON: client.toString("base64url"),
        attestationObject: Buffer.from(cbor(made)).toString("base64url"),
      });
    },
    /** Answers with the passkey. Returns what `navigator.credentials.get` returns, as JSON. */
    answer: (options: Options, lie: Lie = {}) => {
      const client = clientData("webauthn.get", options, lie);
      const device = deviceData(options.rpId ?? "", 0, lie, new Uint8Array());
      const signature = createSign("sha256")
        .update(Buffer.concat([device, sha256(client)]))
        .sign(privateKey, "base64url");
      return credential(id, {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: device.toString("base64url"),
        signature,
        userHandle: lie.handle ?? handle,
      });
    },
  };
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

const credential = <Response>(id: string, response: Response) => ({
  id,
  rawId: id,
  type: "public-key",
  clientExtensionResults: {},
  response,
});

const bytes = (base64url: string): Uint8Array => Buffer.from(base64url, "base64url");

const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest();

const sign = (key: KeyObject, ...parts: readonly Uint8Array[]): Uint8Array =>
  createSign("sha256").update(Buffer.concat(parts)).sign(key);

type Statement = readonly [format: string, statement: Map<string, Cbor>];

/** WebAuthn, 8.2, without a certificate. */
const selfSigned = (key: KeyObject, authData: Uint8Array, client: Uint8Array): Statement => [
  "packed",
  new Map<string, Cbor>([
    ["alg", -7],
    ["sig", sign(key, authData, sha256(client))],
  ]),
];

/** WebAuthn, 8.6: signs the host, the browser's data, the id and the public key with the certificate's key. */
const certified = (
  { key, der }: Certificate,
  authData: Uint8Array,
  client: Uint8Array,
  made: Uint8Array,
): Statement => [
  "fido-u2f",
  new Map<string, Cbor>([
    ["x5c", [der]],
    ["sig", sign(key, Buffer.from([0]), authData.subarray(0, 32), sha256(client), made)],
  ]),
];
