export type Id = number | string;

type Fields = Readonly<Record<string, unknown>>;

/** A JSON-RPC message. Only these parts are read; the text is sent on unchanged. */
export type Message = {
  readonly text: string;
  /** Only requests have one. A message without an id gets no reply. */
  readonly id?: Id;
  readonly method: string;
  readonly params: Fields;
};

/** Codes of JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

type RpcError = ReturnType<typeof rpcError>;

/** An error as the reply to a request: a sentence that says what to do, and `data` for programs. */
export const rpcError = (
  id: Id | null,
  message: string,
  { code = INTERNAL_ERROR, data }: { readonly code?: number; readonly data?: object } = {},
) => ({ jsonrpc: "2.0", id, error: { code, message, data } });

/** Reads a line. Returns the message, or the error to reply with. A line that is null was too long. */
export const readMessage = (line: Uint8Array | null): Message | RpcError => {
  if (line === null)
    return rpcError(null, "The message is too long. Send less at a time.", {
      code: INVALID_REQUEST,
    });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
    return messageOf(text, JSON.parse(text));
  } catch {
    return rpcError(null, "The line is not JSON. Send one message per line.", {
      code: PARSE_ERROR,
    });
  }
};

const messageOf = (text: string, json: unknown): Message | RpcError => {
  const { id, method, params } = fields(json);
  if (typeof method === "string" && id === undefined)
    return { text, method, params: fields(params) };
  if (typeof method === "string" && isId(id)) return { text, id, method, params: fields(params) };
  return rpcError(
    isId(id) ? id : null,
    "The line is not a request or notification. Send one per line, not a list of them.",
    { code: INVALID_REQUEST },
  );
};

const isId = (value: unknown): value is Id =>
  typeof value === "string" || typeof value === "number";

/** An object's fields. Anything else has none. */
export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const NEWLINE = 10;

/**
 * The lines of a stream of bytes, without their line ends. A line of more than `most` bytes comes as null, and
 * no more than that of it is held in memory.
 */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Buffer | null> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const line = (): Buffer | null => (length > most ? null : Buffer.concat(parts));
  for await (const chunk of stream) {
    for (let from = 0, end = 0; end !== -1; from = end + 1) {
      end = chunk.indexOf(NEWLINE, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
      length += piece.length;
      if (length > most) parts = [];
      else parts.push(piece);
      if (end === -1) break;
      yield line();
      [parts, length] = [[], 0];
    }
  }
  if (length > 0) yield line();
}
