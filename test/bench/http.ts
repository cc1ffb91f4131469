/**
 * A minimal HTTP/1.1 client over kept-alive sockets for a load generator: one request at a time per
 * connection; replies are counted and thrown away. `fetch` would cost more than the servers under
 * test.
 */
export type Connection = {
  /** Sends a complete request, and calls `done` at the end of its reply. */
  readonly ask: (request: Uint8Array, done: Done) => void;
  readonly close: () => void;
};

type Done = (status: number) => void;

type State = {
  done: Done | null;
  /** The part of the request that the socket has not taken yet. */
  rest: Uint8Array;
  /** The head, until it is complete. */
  head: string;
  status: number;
  /** Bytes of the reply that are still to come; null if it is chunked. */
  left: number | null;
  tail: string;
};

const NOTHING = new Uint8Array();
const END_OF_HEAD = "\r\n\r\n";
const LAST_CHUNK = "\r\n0\r\n\r\n";

/**
 * Rejects if nobody listens. A connection that breaks ends the process: a run with gaps measures
 * nothing.
 */
export const connect = async (url: URL): Promise<Connection> => {
  const state: State = {
    done: null,
    rest: NOTHING,
    head: "",
    status: 0,
    left: 0,
    tail: "",
  };
  const socket = await Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      data: (_socket, chunk) => take(state, chunk),
      drain: () => flush(),
      close: () => {
        if (state.done)
          throw new Error("The server closed a connection that waited for its reply.");
      },
    },
  });
  socket.setNoDelay(true);
  const flush = (): void => {
    if (state.rest.length === 0) return;
    state.rest = state.rest.subarray(Math.max(socket.write(state.rest), 0));
  };
  return {
    ask: (request, done) => {
      Object.assign(state, {
        done,
        rest: request,
        head: "",
        status: 0,
        left: 0,
        tail: "",
      });
      flush();
    },
    close: () => void socket.end(),
  };
};

const take = (state: State, chunk: Buffer): void => {
  const body = state.status === 0 ? readHead(state, chunk) : chunk.length;
  if (state.status === 0 || !isWhole(state, chunk, body)) return;
  const { done } = state;
  state.done = null;
  done?.(state.status);
};

/** Reads the head if this chunk completes it. Returns how much of the chunk is body. */
const readHead = (state: State, chunk: Buffer): number => {
  const start = state.head.length;
  state.head += chunk.toString("latin1", 0, 4_096);
  const end = state.head.indexOf(END_OF_HEAD);
  if (end === -1) return 0;
  state.status = Number(state.head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(state.head.slice(0, end))?.[1];
  state.left = length === undefined ? null : Number(length);
  return chunk.length - (end + END_OF_HEAD.length - start);
};

const isWhole = (state: State, chunk: Buffer, body: number): boolean => {
  if (state.left !== null) return (state.left -= body) <= 0;
  // JSON text never looks like this.
  state.tail = (state.tail + chunk.toString("latin1", Math.max(chunk.length - 7, 0))).slice(-7);
  return state.tail === LAST_CHUNK;
};
