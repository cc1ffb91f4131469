import type { Wishes } from "./wishes.ts";

/**
 * Returns the reply as the caller asked for it to be broken. The request was carried out, so a write has taken effect,
 * and the caller does not learn it.
 */
export const broken = async (wishes: Wishes, reply: Response): Promise<Response> => {
  if (wishes.has("cut")) return cut(reply);
  if (wishes.has("garbage")) return withBody(reply, '{"garbage": [1, 2,, \u0000', null);
  if (wishes.has("html")) return withBody(reply, PAGE, "text/html;charset=utf-8");
  return reply;
};

const PAGE = "<!doctype html><title>Sign in to this network</title><p>Sign in to use this network.";

/** The first half of the body. Then the connection breaks. */
const cut = async (reply: Response): Promise<Response> => {
  const whole = new Uint8Array(await reply.arrayBuffer());
  let isBegun = false;
  const half = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      // An error closes the connection. Closing the stream would end the reply properly.
      if (isBegun) return controller.error();
      isBegun = true;
      controller.enqueue(whole.subarray(0, Math.ceil(whole.length / 2)));
    },
  });
  return withBody(reply, half, null);
};

const withBody = (
  { status, headers: were }: Response,
  body: ReadableStream<Uint8Array> | string,
  type: string | null,
): Response => {
  const headers = new Headers(were);
  headers.delete("content-length");
  if (typeof body === "string") headers.delete("content-encoding");
  if (type !== null) headers.set("content-type", type);
  return new Response(body, { status: status === 204 ? 200 : status, headers });
};
