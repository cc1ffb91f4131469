// Sends one call, and prints its status and how long it took, in ms: bun send.ts URL TOKEN [FILE]

const [url = "", token = "", file = ""] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const body = file === "" ? null : await Bun.file(file).bytes();
const start = performance.now();
const reply = await fetch(url, body === null ? { headers } : { method: "POST", headers, body });
await reply.arrayBuffer();
process.stdout.write(JSON.stringify({ status: reply.status, took: performance.now() - start }));
