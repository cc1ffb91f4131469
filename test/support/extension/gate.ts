/** A way to a server that can be closed: pushes then wait at it. */
export type Gate = {
  readonly url: string;
  /** From now on, pushes wait before they reach the server. */
  readonly close: () => void;
  /** From now on, pushes reach the server, and their replies wait. */
  readonly holdReplies: () => void;
  /** From now on, pulls reach the server, and the reply to the next one waits. */
  readonly holdPull: () => void;
  /** From now on, the server hears of no sign-out, and nothing answers it. */
  readonly holdSignOut: () => void;
  /** From now on, every sync gets this answer instead of the server's. */
  readonly answer: (
    status: number,
    body: string,
    headers?: Readonly<Record<string, string>>,
  ) => void;
  /** How many syncs got that answer. */
  readonly answered: () => number;
  /** Lets everything pass. A push that waited is dropped, as its sender is gone; a pull's reply goes on its way. */
  readonly open: () => void;
  /** Resolves when a push or a sign-out has come to the closed gate, or a reply is held. */
  readonly arrived: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type State = "closed" | "open" | "pull" | "replies" | "sign-out";

/** `port` is that of a gate that was stopped; without it, it is any. */
export const startGate = (server: string, port = 0): Gate => {
  let state: State = "open";
  let instead: (() => Response) | null = null;
  let answered = 0;
  let arrival = Promise.withResolvers<void>();
  let release = Promise.withResolvers<void>();
  const shut = (to: State): void => {
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
    port,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const isPush = request.method === "POST" && pathname.endsWith("/sync");
      if (instead && pathname.endsWith("/sync")) {
        answered += 1;
        return instead();
      }
      if (isPush && state === "closed") return hold();
      if (state === "sign-out" && pathname === "/oauth/revoke") return hold();
      const { method, headers } = request;
      const body = method === "POST" ? await request.text() : null;
      const reply = await fetch(`${server}${pathname}${search}`, { method, headers, body }).catch(
        () => null,
      );
      if (reply === null) return new Response(null, { status: 502 });
      if (state === "pull" && method === "GET" && pathname.endsWith("/sync")) await hold();
      return isPush && state === "replies" ? hold() : passedOn(reply);
    },
  });
  return {
    url: gate.url.origin,
    close: () => shut("closed"),
    holdReplies: () => shut("replies"),
    holdPull: () => shut("pull"),
    holdSignOut: () => shut("sign-out"),
    answer: (status, body, headers = {}) => {
      answered = 0;
      instead = () =>
        new Response(body, {
          status,
          headers: { "content-type": "application/json", ...headers },
        });
    },
    answered: () => answered,
    open: () => {
      state = "open";
      instead = null;
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

/** The way to a server under a name that it does not know. */
export const underOtherName = (server: string) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url, method }) =>
      fetch(`${server}${new URL(url).pathname}`, { method, headers: { host: "docket.lan" } }),
  });
