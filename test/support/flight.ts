import { connect } from "node:net";

/** A request on its way: the operating system has its bytes, and its reply is still to come. */
export type Flight = {
  /** Everything that came back until the server closed the connection. */
  readonly reply: Promise<string>;
  readonly leave: () => void;
};

/** Sends text on a new connection. Resolves once the operating system has taken all of it. */
export const takeOff = (url: string, text: string): Promise<Flight> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => (received += String(chunk)));
    socket.on("error", reject);
    const reply = new Promise<string>((end) => socket.on("close", () => end(received)));
    socket.write(text, () => resolve({ reply, leave: () => socket.destroy() }));
  });

/**
 * A request with a JSON body as HTTP/1.1 text, with `close` so that its reply ends the connection.
 */
export const requestText = (path: string, token: string, body: unknown): string => {
  const json = JSON.stringify(body);
  return [
    `POST /api/public/v1${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(json)}`,
    "Connection: close",
    "",
    json,
  ].join("\r\n");
};

/** Whether anyone accepts connections there. */
export const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
