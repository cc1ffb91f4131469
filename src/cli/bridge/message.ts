export type Id = number | string;

type Fields = Readonly<Record<string, unknown>>;

/** A JSON-RPC message: read as far as it must be, and sent on as it came. */
export type Message = {
  readonly text: string;
  /** Of a request: what has none is not answered. */
  readonly id?: Id;
  readonly method: string;
  readonly params: Fields;
};

/** Codes of JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

type RpcError = ReturnType<typeof rpcError>;

/** An error as the reply to a request: a sentence that says what to do, and what a program may want to know. */
export const rpcError = (
  id: Id | null,
  message: string,
  { code = INTERNAL_ERROR, data }: { readonly code?: number; readonly data?: object } = {},
) => ({ jsonrpc: "2.0", id, error: { code, message, data } });

/** What a line says, or the error that answers one that says nothing. A line that is null was too long. */
export const readMessage = (line: Uint8Array | null): Message | RpcError => {
  if (line === null)
    return rpcError(null, "The message is too long: send less at once.", { code: INVALID_REQUEST });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
    return messageOf(text, JSON.parse(text));
  } catch {
    return rpcError(null, "The line is not JSON: send one message a line.", { code: PARSE_ERROR });
  }
};

const messageOf = (text: string, json: unknown): Message | RpcError => {
  const { id, method, params } = fields(json);
  if (typeof method === "string" && id === undefined)
    return { text, method, params: fields(params) };
  if (typeof method === "string" && isId(id)) return { text, id, method, params: fields(params) };
  return rpcError(
    isId(id) ? id : null,
    "The line is no request or notification: send one a line, and no lists of them.",
    { code: INVALID_REQUEST },
  );
};

const isId = (value: unknown): value is Id =>
  typeof value === "string" || typeof value === "number";

/** An object's fields; none of anything else. */
export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
