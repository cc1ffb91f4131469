import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainEnvironment } from "../support/program.ts";

/** A call to the API of a server: a path below its address, and a body in JSON or none. */
export type Call = { readonly method: string; readonly path: string; readonly body: string | null };

export type Sent = { readonly status: number; readonly took: number };

/**
 * Sends calls from a process of its own, so that nobody else waits for them. `ready` writes the body to `folder` and
 * returns what sends it: to write 15 MiB takes long enough to be taken for a wait.
 */
export const startSender = (folder: string) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "send.ts")], {
    env: plainEnvironment(),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const lines = linesOf(child.stdout);
  const ready = (server: string, token: string, { method, path, body }: Call) => {
    const file = body === null ? null : join(folder, "body.json");
    if (file !== null) writeFileSync(file, body ?? "");
    return async (): Promise<Sent> => {
      child.stdin.write(`${JSON.stringify({ url: server + path, method, token, file })}\n`);
      child.stdin.flush();
      const { value, done } = await lines.next();
      if (done) throw new Error("The process that sends calls has ended.");
      return JSON.parse(value) as Sent;
    };
  };
  return {
    ready,
    send: (server: string, token: string, call: Call): Promise<Sent> =>
      ready(server, token, call)(),
    stop: async (): Promise<void> => {
      child.kill();
      await child.exited;
    },
  };
};

export type Sender = ReturnType<typeof startSender>;

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let read = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    read += decoder.decode(chunk, { stream: true });
    const lines = read.split("\n");
    read = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
