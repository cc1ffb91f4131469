import type { Server } from "bun";
import { Refusal } from "../domain/base/refusal.ts";
import type { Limits } from "../domain/calls/limiter.ts";
import { type Call, json, startCall, type Answered } from "../server/call.ts";
import { errorReply, refused, respond } from "../server/respond.ts";
import { broken } from "./broken.ts";
import { answerClock, CLOCK_PATH, type SandboxClock } from "./clock.ts";
import { forcedRefusal } from "./refused.ts";
import { makeStale } from "./stale.ts";
import { readWishes, WISH_HEADER } from "./wishes.ts";

type Fetch = (request: Request, server: Server<undefined>) => Answered;

/**
 * Wraps a server's `fetch`: requests with the header `Docket-Sandbox` get the reply that they ask for, and
 * `/sandbox/clock` reads and sets the clock. Every reply says that it comes from a sandbox.
 */
export const wrapInSandbox =
  (clock: SandboxClock, limits: Limits) =>
  (fetch: Fetch): Fetch =>
  async (request, server) => {
    const call = startCall(request, { server, arrived: request }, clock);
    const reply = await answer(clock, call, limits, async (inner) => fetch(inner, server)).catch(
      (error: unknown) => refuse(call, limits, error),
    );
    return marked(request, reply);
  };

const answer = async (
  clock: SandboxClock,
  call: Call,
  limits: Limits,
  send: (request: Request) => Promise<Response>,
): Promise<Response> => {
  const { request, method, path } = call;
  if (path === CLOCK_PATH && ["GET", "POST"].includes(method))
    return respond(call, limits, 200, json(await answerClock(clock, request)));
  const header = request.headers.get(WISH_HEADER);
  if (header === null || method === "OPTIONS") return send(request);
  const wishes = readWishes(header);
  if (wishes.has("stale")) await makeStale(request, send);
  const refusal = forcedRefusal(wishes, call);
  const reply = refusal ? refuse(call, limits, refusal) : await send(request);
  await Bun.sleep(wishes.get("slow") ?? 0);
  return broken(wishes, reply);
};

const refuse = (call: Call, limits: Limits, error: unknown): Response => {
  if (!(error instanceof Refusal)) throw error;
  const failure = refused(error);
  return respond(call, limits, failure.status, errorReply(failure));
};

/** Adds the header to what browsers may send, and says on every reply where it comes from. */
const marked = ({ method }: Request, reply: Response): Response => {
  const { headers } = reply;
  const allowed = headers.get("access-control-allow-headers");
  if (method === "OPTIONS" && allowed !== null)
    headers.set("access-control-allow-headers", `${allowed}, Docket-Sandbox`);
  headers.set(WISH_HEADER, "on");
  return reply;
};
