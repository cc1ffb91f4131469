/**
 * The smallest server that can be compiled. It is the measure for what starting and idling cost
 * Docket.
 */
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
process.stdout.write(`Bare is listening on http://127.0.0.1:${server.port}\n`);
