import type { Certificate } from "./certificate.ts";
import { listen } from "./elysia.ts";

type Handlers = Parameters<typeof listen>[0];
type BunServer = ReturnType<typeof listen>;

/** The server's port, and everything that has come in through it. */
export type Listener = {
  readonly port: number;
  /** Serves this certificate to every new connection. Requests in progress, long polls too, are still answered. */
  readonly renew: (certificate: Certificate) => void;
  /** Accepts no more connections. */
  readonly close: () => void;
  /** Closes all connections, once requests in progress are answered or `drain` ms have passed. */
  readonly end: (drain: number) => Promise<void>;
};

/**
 * Starts listening. Throws if the port is taken. Bun's `reload` keeps the certificate, so that a renewed one needs
 * another server: it takes over the port within a millisecond.
 */
export const startListener = (
  handlers: Handlers,
  host: string,
  port: number,
  certificate: Certificate | null,
): Listener => {
  let [server, served] = [listen(handlers, host, port, certificate), certificate];
  const bound = server.port ?? port;
  /** Servers with earlier certificates that still have connections. */
  const earlier = new Set<BunServer>();
  const close = (): void => {
    const closed = server;
    earlier.add(closed);
    void closed.stop().then(() => earlier.delete(closed));
  };
  const all = (): readonly BunServer[] => [server, ...earlier];
  return {
    port: bound,
    renew: (renewed) => {
      close();
      try {
        server = listen(handlers, host, bound, renewed);
        served = renewed;
      } catch (cause) {
        server = listen(handlers, host, bound, served);
        throw cause;
      }
    },
    // Not awaited: Bun would also wait for idle connections that browsers keep open.
    close,
    end: async (drain) => {
      const answered = async (): Promise<void> => {
        while (all().some(({ pendingRequests }) => pendingRequests > 0)) await Bun.sleep(10);
      };
      await Promise.race([answered(), Bun.sleep(drain)]);
      await Promise.all(all().map((one) => one.stop(true)));
    },
  };
};
