import { dlopen } from "bun:ffi";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

// bun test/bench/distance.ts PORT DELAY: passes connections on to a port of this machine, and holds back all that is sent
// by DELAY microseconds in each direction, as if the port were on another machine. Prints the port to connect to.

const [, , port = "", delay = ""] = process.argv;
const { symbols } = dlopen("libc.so.6", { usleep: { args: ["u32"], returns: "i32" } });

/** What arrived, and when it is due, in ms. */
type Chunk = { readonly due: number; readonly send: () => void };

const waiting: Chunk[] = [];
let isAwake = false;

/** Timers are not fine enough: the thread sleeps until the next chunk is due. */
const sendDue = (): void => {
  isAwake = false;
  const left = (waiting[0]?.due ?? 0) - performance.now();
  if (left > 0) symbols.usleep(Math.ceil(left * 1_000));
  while (waiting[0] && waiting[0].due <= performance.now()) waiting.shift()?.send();
  wake();
};

const wake = (): void => {
  if (isAwake || waiting.length === 0) return;
  isAwake = true;
  setImmediate(sendDue);
};

const later = (send: () => void): void => {
  waiting.push({ due: performance.now() + Number(delay) / 1_000, send });
  wake();
};

const passOn = (from: Socket, to: Socket): void => {
  from.setNoDelay(true);
  from.on("data", (bytes) => later(() => to.write(bytes)));
  from.on("close", () => later(() => to.destroy()));
  from.on("error", () => {});
};

const server = createServer((near) => {
  const far = connect(Number(port), "127.0.0.1");
  passOn(near, far);
  passOn(far, near);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
