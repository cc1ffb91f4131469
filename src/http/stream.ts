import type { Reply } from "../server/call.ts";

/** In characters. A longer reply is streamed. */
const WHOLE = 64 * 1024;
/** In characters. Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1024;

type Encoding = "gzip" | "zstd";

/**
 * Returns a reply made of `pieces`. A short one is sent whole. A long one is streamed, each piece read only when the
 * client is ready for it, so that it fills neither the memory nor the event loop. It is compressed if the client
 * accepts that. A failure after the stream has begun cuts the reply off, and is reported to `onFailure` alone.
 */
export const streamText = async (
  pieces: AsyncGenerator<string>,
  acceptEncoding: string | null,
  onFailure: (cause: unknown) => void,
): Promise<Reply> => {
  let start = "";
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return wholeReply(start, acceptEncoding);
    start += value;
    if (start.length > WHOLE)
      return streamReply(start, reporting(pieces, onFailure), chooseEncoding(acceptEncoding));
  }
};

async function* reporting(
  pieces: AsyncGenerator<string>,
  onFailure: (cause: unknown) => void,
): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (cause) {
    onFailure(cause);
    throw cause;
  }
}

/** Returns a reply sent whole. It is compressed if the client accepts that and it is long enough. */
export const wholeReply = (text: string, acceptEncoding: string | null): Reply => {
  const encoding = text.length < WORTH_COMPRESSING ? null : chooseEncoding(acceptEncoding);
  if (encoding === null) return { body: text, headers: VARY };
  const packed = encoding === "gzip" ? Bun.gzipSync(text) : Bun.zstdCompressSync(text);
  return { body: new Uint8Array(packed), headers: { ...VARY, "content-encoding": encoding } };
};

const streamReply = (
  start: string,
  pieces: AsyncGenerator<string>,
  encoding: Encoding | null,
): Reply => {
  const text = new TextEncoder();
  let next: string | undefined = start;
  const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      // Each piece is read in a new turn of the event loop, so that other requests are answered in between.
      await new Promise((resolve) => setImmediate(resolve));
      next ??= (await pieces.next()).value as string | undefined;
      if (next === undefined) return controller.close();
      controller.enqueue(text.encode(next));
      next = undefined;
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
  if (encoding === null) return { body: plain, headers: VARY };
  // Bun supports zstd. The type comes from the browser types that Preact includes, which do not list it.
  const body = plain.pipeThrough(new CompressionStream(encoding as CompressionFormat));
  return { body, headers: { ...VARY, "content-encoding": encoding } };
};

const VARY = { vary: "Accept-Encoding" };

const chooseEncoding = (accepted: string | null): Encoding | null => {
  const names = new Set(
    (accepted ?? "").split(",").flatMap((entry) => {
      const [name = "", quality = ""] = entry.toLowerCase().split(";");
      return /^\s*q=0(\.0*)?\s*$/.test(quality) ? [] : [name.trim()];
    }),
  );
  return names.has("zstd") ? "zstd" : names.has("gzip") ? "gzip" : null;
};
