/** A way to a server that can be closed: pushes then wait at it. */
export type Gate = {
  readonly url: string;
  /** From now on, pushes wait before they reach the server. */
  readonly close: () => void;
  /** From now on, pushes reach the server, and their replies wait. */
  readonly holdReplies: () => void;
  /** Lets everything pass. What waited is dropped, as its sender is gone. */
  readonly open: () => void;
  /** Resolves when a push has come to the closed gate, or a reply that is held. */
  readonly arrived: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const startGate = (server: string): Gate => {
  let state: "closed" | "open" | "replies" = "open";
  let arrival = Promise.withResolvers<void>();
  let release = Promise.withResolvers<void>();
  const shut = (to: "closed" | "replies"): void => {
    state = to;
    arrival = Promise.withResolvers();
    release = Promise.withResolvers();
  };
  const hold = async (): Promise<Response> => {
    arrival.resolve();
    await release.promise;
    return new Response(null, { status: 503 });
  };
  const gate = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const isPush = request.method === "POST" && pathname.endsWith("/sync");
      if (isPush && state === "closed") return hold();
      const { method, headers } = request;
      const body = method === "POST" ? await request.text() : null;
      const reply = await fetch(`${server}${pathname}${search}`, { method, headers, body }).catch(
        () => null,
      );
      if (reply === null) return new Response(null, { status: 502 });
      return isPush && state === "replies" ? hold() : passedOn(reply);
    },
  });
  return {
    url: gate.url.origin,
    close: () => shut("closed"),
    holdReplies: () => shut("replies"),
    open: () => {
      state = "open";
      release.resolve();
    },
    arrived: () => arrival.promise,
    stop: () => gate.stop(true),
  };
};

/** The body is unpacked by now. */
const passedOn = async (reply: Response): Promise<Response> => {
  const headers = new Headers(reply.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(await reply.text(), { status: reply.status, headers });
};
