import type { Copy } from "../domain/backups/kept.ts";
import { copyOf } from "../db/copies.ts";
import { keepOffProxies } from "./proxies.ts";

/** A bucket of a service that speaks S3, and a prefix for the names in it, which may be empty. */
export type S3Settings = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** A place for copies at a service that speaks S3. Each call throws an `Error` that says where, why, and what to do. */
export type Bucket = {
  /** Its address, without what is secret. */
  readonly address: string;
  /** The copies there, newest first. Other objects there are none, whatever they are called. */
  readonly list: () => Promise<readonly Copy[]>;
  /** Sends a file, in parts if it is large. */
  readonly send: (file: string, name: string) => Promise<void>;
  readonly fetch: (name: string, file: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
};

export const openBucket = ({ endpoint, bucket, prefix, region, ...keys }: S3Settings): Bucket => {
  keepOffProxies(new URL(endpoint));
  const client = new Bun.S3Client({ endpoint, bucket, ...(region && { region }), ...keys });
  const address = `${endpoint}/${[bucket, prefix].filter(Boolean).join("/")}`;
  const keyOf = (name: string): string => (prefix === "" ? name : `${prefix}/${name}`);
  const ask = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new Error(`${what} ${address}: ${reasonOf(error)}`, { cause: error });
    }
  };
  const listAll = async (): Promise<readonly Copy[]> => {
    const copies: Copy[] = [];
    for (let after: string | undefined; ;) {
      const { contents = [], isTruncated } = await client.list({
        prefix: keyOf(""),
        ...(after === undefined ? {} : { startAfter: after }),
      });
      for (const { key, size } of contents) {
        const copy = copyOf(key.slice(keyOf("").length), size ?? 0);
        if (copy !== null) copies.push(copy);
      }
      after = contents.at(-1)?.key;
      if (isTruncated !== true || after === undefined)
        return copies.toSorted((a, b) => b.at - a.at);
    }
  };
  return {
    address,
    list: () => ask("The copies cannot be listed at", listAll),
    send: (file, name) =>
      ask("The copy cannot be sent to", async () => {
        await client.write(keyOf(name), Bun.file(file));
      }),
    fetch: (name, file) =>
      ask("The copy cannot be fetched from", async () => {
        await Bun.write(file, client.file(keyOf(name)));
      }),
    remove: (name) => ask("An old copy cannot be removed at", () => client.delete(keyOf(name))),
  };
};

/** Bun's messages name neither the place nor the cause. */
const reasonOf = (error: unknown): string => {
  const { code = "", message = String(error) } = error as {
    readonly code?: string;
    readonly message?: string;
  };
  const likely = LIKELY.find(([codes]) => codes.test(code))?.[1];
  return likely === undefined ? `${code} ${message}`.trim() : `${likely} (${code})`;
};

const LIKELY: readonly (readonly [RegExp, string])[] = [
  [/^NoSuchBucket$/, "there is no such bucket. Create it, or correct its name."],
  [
    /^(InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|Forbidden)$/,
    "the key is not accepted, or may not write there. Correct the key and the secret, or what they may do.",
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    "the bucket is in another region. Add ?region=NAME to the address.",
  ],
  [/^RequestTimeTooSkewed$/, "this machine's clock is wrong. Set it, best by NTP."],
  [
    /^(ConnectionRefused|ConnectionClosed|FailedToOpenSocket|ENOTFOUND|ETIMEDOUT|Timeout)/,
    "nothing answers there. Check the address and the network.",
  ],
  [/CERT|SIGNATURE/, "its certificate is not accepted. Check the address."],
];
