import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

export type Certificate = { readonly key: KeyObject; readonly der: Uint8Array };

/** A self-signed certificate, as the maker of a device would issue it (RFC 5280, 4.1). */
export const newCertificate = (): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, "maker"))));
  const algorithm = sequence(der(0x06, ECDSA_SHA256));
  const certified = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    algorithm,
    name,
    sequence(der(0x17, "200101000000Z"), der(0x17, "491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = createSign("sha256").update(certified).sign(privateKey);
  return {
    key: privateKey,
    der: sequence(certified, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature]))),
  };
};

/** One that no browser trusts, as `Bun.serve` takes it. */
export const newTls = (): { readonly key: string; readonly cert: string } => {
  const { key, der: bytes } = newCertificate();
  const text = Buffer.from(bytes).toString("base64");
  return {
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  };
};

const COMMON_NAME = [0x55, 0x04, 0x03];
const ECDSA_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(0x30, Buffer.concat(parts));

/** A value with its tag and length, in the DER encoding of ASN.1. */
const der = (tag: number, content: Uint8Array | readonly number[] | string): Uint8Array => {
  const body = typeof content === "string" ? Buffer.from(content) : Buffer.from([...content]);
  const { length } = body;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
