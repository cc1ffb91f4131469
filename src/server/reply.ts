/** What a handler answers: JSON text, already written, and whatever headers it needs. */
export type Reply = {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> | string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A reply that is written out as a whole. */
export type TextReply = Reply & { readonly body: string };

export const json = (
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): TextReply => ({
  body: JSON.stringify(value),
  headers,
});

/** JSON whose parts are JSON texts already: `{"name":[a,b],...rest}`. */
export const jsonList = (name: string, items: readonly string[], rest: object = {}): TextReply => {
  const tail = JSON.stringify(rest).slice(1);
  return { body: `{"${name}":[${items.join(",")}]${tail === "}" ? "" : ","}${tail}` };
};
