/** The least that can be compiled and asked: what starting and resting cost Docket is held against this. */
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
process.stdout.write(`Bare is listening on http://127.0.0.1:${server.port}\n`);
