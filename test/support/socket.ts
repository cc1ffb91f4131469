import { connect } from "node:net";

/** One reply as it arrives. `status` 0 means that the connection ended without one. */
export type RawReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
};

type Part = Uint8Array | string;

/**
 * Writes the parts to a new connection, byte for byte, and returns the first reply as soon as it is
 * complete, even if the request never is. Text is sent as Latin-1: one character, one byte.
 */
export const exchange = (
  url: string,
  parts: AsyncIterable<Part> | Iterable<Part>,
): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    const end = (reply: RawReply): void => {
      socket.destroy();
      resolve(reply);
    };
    const writeAll = async (): Promise<void> => {
      for await (const part of parts) {
        if (socket.destroyed) return;
        const bytes = typeof part === "string" ? Buffer.from(part, "latin1") : part;
        // The next part waits until this one is sent, so an endless request needs no memory.
        await new Promise((taken) => socket.write(bytes, taken));
        await new Promise((turn) => setImmediate(turn));
      }
    };
    socket.on("connect", () => writeAll().catch(reject));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const reply = readReply(received);
      if (reply) end(reply);
    });
    socket.on("error", () => end(readReply(received) ?? NO_REPLY));
    socket.on("close", () => end(readReply(received) ?? NO_REPLY));
  });

const NO_REPLY: RawReply = { status: 0, headers: new Headers(), body: "" };

/** A reply with a known length; null until it is complete. */
const readReply = (text: string): RawReply | null => {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers.get("content-length") ?? 0);
  const body = text.slice(end + 4, end + 4 + length);
  if (body.length < length) return null;
  return {
    status: Number(first.split(" ")[1]),
    headers,
    body: Buffer.from(body, "latin1").toString(),
  };
};

/** Writes the text to a new connection, and drops the connection at once. */
export const breakOff = (url: string, text: string): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(text, "latin1", () => socket.end());
    });
    socket.on("close", () => resolve());
  });

/** The head of a request: its first line and its headers, in the order given. */
export const head = (firstLine: string, ...fields: readonly string[]): string =>
  [`${firstLine} HTTP/1.1`, ...fields, "", ""].join("\r\n");

/** One chunk of a chunked body. */
export const chunk = (bytes: Uint8Array | string): Uint8Array =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from("\r\n"),
  ]);

export const LAST_CHUNK = "0\r\n\r\n";
