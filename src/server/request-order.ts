import type { StoredReply } from "../domain/calls/idempotency.ts";
import { SECOND } from "../domain/base/instant.ts";
import { Refusal } from "../domain/base/refusal.ts";
import type { Caller } from "../domain/people/account.ts";
import { type Call, type Match, nameSent, startCall, type Answered } from "./call.ts";
import { type Access, checkAccess, countCall, findKey, identify } from "./checks/admission.ts";
import {
  type BodyRules,
  type HeldBody,
  parseJson,
  parseLongJson,
  readBody,
  readForm,
} from "./checks/body.ts";
import {
  asksDryRun,
  checkEndpoint,
  checkHost,
  refuseDeletion,
  senderOf,
} from "./checks/request.ts";
import { beginOnce, idempotencyKeyOf } from "./checks/idempotency.ts";
import { checkRestBody } from "./checks/values.ts";
import { checkParameters, type Parameters } from "./checks/schema.ts";
import { answerOptions, refuse } from "./respond.ts";
import type { Service } from "./service.ts";

// The order in which every request is checked, at every entry point. Each step is a function in a file under checks/.
// A step that does not let a request through throws a refusal, which becomes the status beside it. Elysia calls its
// hooks at fixed points, so the list has several parts. They follow one another.

export const beginCall = startCall; // 1. a request id; respond.ts sends it back, with the security headers, on every reply

/** Steps 2 to 5, before the caller is known. Returns null to let the request go on to its entry point. */
export const checkRequest = (
  service: Service,
  match: Match | null,
  call: Call,
): Answered | null => {
  const { request, method, path } = call;
  if (match) call.routeName = match.name;
  refuseDeletion(method, match); // 2. DELETE and PUT: 405
  checkHost(request.headers, service.settings.hosts); // 3. a host name that is not this server's: 421
  if (method === "OPTIONS") return answerOptions(service, call, match); // 4. OPTIONS: 204
  const { id, part } = checkEndpoint(method, path, match); // 5. unknown path: 404, wrong method: 405
  call.pathId = id;
  call.pathPart = part;
  return null;
};

/** Steps 6 to 9: who is calling, and whether they may. Sets the call's caller even if a later step refuses it. */
export const admit = async (
  service: Service,
  { access, touches }: Admission,
  call: Call,
  token: string | undefined,
): Promise<void> => {
  const caller = await identify(service.store, call.request, token, call.now); // 6. no valid credential: 401
  call.caller = caller;
  if (caller.kind === "api_key") await countCall(service.limiter, call, caller.id); // 7. an API key that is over its limit: 429
  checkAccess(caller, access, call.now); // 8. an API key on /sync: 403. 9. one without the scope or the plan: 403
  call.touched = nameSent(touches, call.pathId);
};

/**
 * Steps 6 to 10 for a request with a body. The body is not read before its caller is let in. Returns the body, or the
 * reply stored for an earlier request with the same `Idempotency-Key`.
 */
export const admitBody = async (
  service: Service,
  rules: Admission & BodyRules & { readonly isWrite: boolean; readonly parameters: Parameters },
  call: Call,
  token: string | undefined,
): Promise<Received> => {
  const { request } = call;
  await admit(service, rules, call, token); // 6 to 9
  call.dryRun = asksDryRun(request, rules.isWrite); // 10. dry_run: 422
  checkParameters(rules.parameters, call); // 10. an unknown query parameter: 422
  const key = rules.isWrite ? idempotencyKeyOf(request.headers) : null; // 10. a malformed Idempotency-Key: 400
  const bytes = await readBody(request, rules, holdBody(service, call)); // 10. content type: 415, size: 413, memory: 503
  const caller = await admitAgain(service, rules, call, token);
  // A dry run changes nothing, so running it twice is harmless.
  const once = key !== null && !call.dryRun;
  const stored = once ? await beginOnce(service, call, caller, key, bytes) : null; // 10. in progress: 409, another body: 422
  if (stored) return { stored };
  const body = await parseLongJson(bytes, rules); // 10. UTF-8 and JSON: 400
  if (rules.rules === "rest") checkRestBody(body, caller.kind === "api_key"); // 10. text: 400, deleted_at: 403 or 422
  return { stored: null, body };
};

/** The same for an MCP message. Whether a tool call must run only once is in the tool's arguments. */
export const admitMessage = async (
  service: Service,
  rules: Admission & BodyRules,
  call: Call,
  token: string | undefined,
): Promise<{ readonly caller: Caller; readonly message: unknown }> => {
  await admit(service, rules, call, token); // 6 to 9
  const bytes = await readBody(call.request, rules, holdBody(service, call)); // 10. content type: 415, size: 413, memory: 503
  const caller = await admitAgain(service, rules, call, token);
  return { caller, message: parseJson(bytes, rules) }; // 10. UTF-8 and JSON: 400
};

/**
 * Checks the caller again if the body took more than a second to arrive: a credential that was revoked or lost its plan
 * meanwhile must read nothing. Whether it may still write is asked in the transaction (`recordWrite`).
 */
const admitAgain = async (
  service: Service,
  { access }: Admission,
  call: Call,
  token: string | undefined,
): Promise<Caller> => {
  const { caller: admitted } = call;
  if (admitted && service.clock.steady() - call.startedAt < SECOND) return admitted;
  const now = service.clock.wall();
  const caller = await identify(service.store, call.request, token, now); // 6 once more
  call.caller = caller;
  checkAccess(caller, access, now); // 8 and 9 once more
  return caller;
};

/** Step 10 for OAuth's forms, which are sent without a credential. Type: 415, size: 413, memory: 503, UTF-8: 400. */
export const receiveForm = (
  service: Service,
  rules: BodyRules,
  call: Call,
): Promise<URLSearchParams> => readForm(call.request, rules, holdBody(service, call));

/** Step 10 for a registration, which is sent without a credential. Type: 415, size: 413, memory: 503, UTF-8 and JSON: 400. */
export const receiveRegistration = async (
  service: Service,
  rules: BodyRules,
  call: Call,
): Promise<unknown> => {
  try {
    return parseJson(await readBody(call.request, rules, holdBody(service, call)), rules);
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.reason === "unavailable") throw thrown;
    throw new Refusal(thrown.reason, thrown.sentence, thrown.headers, "invalid_client_metadata");
  }
};

/** Begins to count the memory of a call's body. It is given back when the call is answered. */
const holdBody = (service: Service, call: Call): HeldBody =>
  (call.held = service.bodies.hold(senderOf(service, call, call.caller?.account.id ?? null)));

// 11. The schema: 422. Elysia checks a query against the route's schema, and `checkValue` a body, and the
// arguments of a tool (checks/schema.ts).
//
// 12. The record, within the account: 404. The handler reads it through src/db. Missing, deleted and other people's
// records get the same reply.
//
// 13. A refusal thrown above has its own status. Anything else is 500 (`refuse` in respond.ts).

/**
 * Step 13 for steps 2 to 5. An API key's calls are listed even then, because a refused DELETE is what its owner wants
 * to see.
 */
export const refuseEarly = async (
  service: Service,
  call: Call,
  thrown: unknown,
): Promise<Response> => {
  try {
    call.caller = await findKey(service.store, call.request, call.now);
    if (call.caller) call.quotas = await service.limiter.peek(call.caller.id);
    return await refuse(service, call, thrown);
  } catch (error) {
    return refuse(service, call, error);
  }
};

/** Who may call, and the kind of record that the id in the path names. */
type Admission = { readonly access: Access; readonly touches: "claim" | "folder" | "task" };

/** A request's body, or the reply stored for an earlier request with the same `Idempotency-Key`. */
type Received =
  { readonly stored: null; readonly body: unknown } | { readonly stored: StoredReply };
