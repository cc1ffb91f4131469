import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { makeCredentials, startServerProcess } from "../support/process.ts";
import { testDirectory } from "../support/server.ts";
import { head } from "../support/socket.ts";

const MIB = 1024 * 1024;

/** The memory that a process has in use, in MiB. */
const memoryOf = (pid: number): number => {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
};

test("Eight unfinished bodies of 15 MiB take no more memory than bodies may have", async () => {
  const directory = testDirectory();
  const server = await startServerProcess(directory, { env: { DOCKET_BODY_MEMORY: "128" } });
  try {
    const { session } = await makeCredentials(directory);
    const before = memoryOf(server.pid());
    const replies: string[] = [];
    const sockets = await Promise.all(
      Array.from({ length: 8 }, () => openPush(server.url(), session, replies)),
    );
    // Four bodies are under way, and the others are refused: one account may have 64 MiB.
    while (replies.length < 4) await Bun.sleep(10);
    expect(replies.map((reply) => reply.split("\r\n")[0])).toEqual(
      Array.from({ length: 4 }, () => "HTTP/1.1 503 Service Unavailable"),
    );
    // What arrives is in the process once as such, and for a moment once more on its way.
    expect(memoryOf(server.pid()) - before).toBeLessThan(200);
    for (const socket of sockets) socket.end();
  } finally {
    await server.stop("SIGKILL");
  }
});

/** Sends the head of a push of 15 MiB and all of its body except for the last byte. Adds the reply to `replies`. */
const openPush = async (url: string, session: string, replies: string[]) => {
  const body = Buffer.alloc(15 * MIB - 1, " ");
  let sent = 0;
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(url).port),
    socket: {
      data: (_socket, data) => void replies.push(data.toString()),
      drain: (open) => void (sent += open.write(body.subarray(sent))),
      error: () => {},
    },
  });
  const announced = head(
    "POST /api/public/v1/sync",
    "Host: localhost",
    `Authorization: Bearer ${session}`,
    "Content-Type: application/json",
    `Content-Length: ${15 * MIB}`,
  );
  socket.write(announced);
  sent += socket.write(body);
  return socket;
};
