// Sends calls, one after the other: reads `{"url", "method", "token", "file"}` as lines, and writes a line for each with
// the status of the reply and how long it took, in ms.

type Line = {
  readonly url: string;
  readonly method: string;
  readonly token: string;
  readonly file: string | null;
};

const send = async ({ url, method, token, file }: Line) => {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = file === null ? null : await Bun.file(file).bytes();
  const start = performance.now();
  const reply = await fetch(url, { method, headers, body });
  await reply.arrayBuffer();
  return { status: reply.status, took: performance.now() - start };
};

for await (const line of console)
  process.stdout.write(`${JSON.stringify(await send(JSON.parse(line) as Line))}\n`);
