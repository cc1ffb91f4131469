import type { Call } from "../call.ts";
import { type Answered, finish } from "../finish.ts";
import type { Match } from "../match.ts";
import { isOpenToOrigins } from "../respond.ts";
import type { Service } from "../service.ts";
import { allowedMethods } from "./methods.ts";

/** Answers OPTIONS with 204 on every path, known or not, with the CORS headers where other origins may call. */
export const answerOptions = (service: Service, call: Call, match: Match | null): Answered =>
  finish(service, call, 204, {
    body: "",
    headers: { allow: allowedMethods(match), ...(isOpenToOrigins(call.path) ? PREFLIGHT : {}) },
  });

const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
  "access-control-allow-headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id",
  "access-control-max-age": "86400",
};
