/** A handler's reply: text or bytes that are already encoded, and any headers they need. */
export type Reply = {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> | string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A reply whose body is a string, not a stream. */
export type TextReply = Reply & { readonly body: string };

export const json = (
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): TextReply => ({
  body: JSON.stringify(value),
  headers,
});

/** Returns a JSON reply from parts that are already JSON text: `{"name":[a,b],...rest}`. */
export const jsonList = (name: string, items: readonly string[], rest: object = {}): TextReply => {
  const tail = JSON.stringify(rest).slice(1);
  return { body: `{"${name}":[${items.join(",")}]${tail === "}" ? "" : ","}${tail}` };
};
