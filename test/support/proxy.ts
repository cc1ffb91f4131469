import { connect, createServer, type Socket } from "node:net";

/** What happens to a piece of a reply on its way back. Most replies are one piece. */
export type ReplyFate = "arrives" | "cut" | "late" | "lost";

/** A network between a caller and a server. */
export type Proxy = { readonly url: string; readonly stop: () => void };

/** How late a late piece arrives, in ms. */
const DELAY = 30;

/** Forwards every request. Each piece of a reply gets the fate that `next` returns. */
export const startProxy = (url: string, next: () => ReplyFate): Promise<Proxy> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const open = new Set<Socket>();
    const proxy = createServer((caller) => {
      const server = connect(Number(port), hostname);
      caller.pipe(server);
      server.on("data", (bytes: Buffer) => deliver(caller, server, bytes, next()));
      server.on("end", () => caller.end());
      for (const socket of [caller, server]) open.add(socket.on("error", () => {}));
    });
    proxy.listen(0, "127.0.0.1", () => {
      const address = proxy.address();
      const own = typeof address === "object" && address !== null ? address.port : 0;
      const stop = (): void => {
        proxy.close();
        for (const socket of open) socket.destroy();
      };
      resolve({ url: `http://127.0.0.1:${own}`, stop });
    });
  });

const deliver = (caller: Socket, server: Socket, bytes: Buffer, fate: ReplyFate): void => {
  switch (fate) {
    case "arrives":
      caller.write(bytes);
      return;
    case "late":
      server.pause();
      setTimeout(() => {
        caller.write(bytes);
        server.resume();
      }, DELAY);
      return;
    case "cut":
      caller.end(bytes.subarray(0, bytes.length / 2));
      server.destroy();
      return;
    case "lost":
      caller.destroy();
      server.destroy();
  }
};
