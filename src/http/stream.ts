import type { Reply } from "../server/reply.ts";

/** Up to this many characters a reply is sent in one piece, with its length. */
const WHOLE = 64 * 1024;
/** Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1024;

type Encoding = "gzip" | "zstd";

/**
 * A reply made of `pieces`: in one piece where it is short, else streamed piece by piece as the
 * client takes it, so that neither memory nor the event loop is held by a large one. Compressed if
 * the client accepts it. What fails once it has begun breaks it off: only `onFailure` can be told then.
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

/** A reply in one piece, compressed if the client accepts that and it is worth it. */
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
      // Each piece is read in a turn of its own, so that other requests are answered between.
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
  // Bun knows zstd; the browsers' types, which Preact brings along, do not.
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
