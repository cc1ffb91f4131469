import type { StoredReply } from "../domain/calls/idempotency.ts";
import type { Caller } from "../domain/people/caller.ts";
import type { Instant } from "../domain/base/instant.ts";
import { andThen, type MaybePromise, orElse } from "../domain/base/maybe-promise.ts";
import { type Call, startCall } from "./call.ts";
import { type Access, checkKind, checkPlan, checkScope } from "./checks/admission.ts";
import { type BodyRules, parseJson, readBody, readForm } from "./checks/body.ts";
import { findKey, identify } from "./checks/credentials.ts";
import { asksDryRun } from "./checks/dry-run.ts";
import { checkHost } from "./checks/host.ts";
import { beginOnce, idempotencyKeyOf } from "./checks/idempotency.ts";
import { countCall } from "./checks/limiter.ts";
import { checkEndpoint, refuseDeletion } from "./checks/methods.ts";
import { answerOptions } from "./checks/options.ts";
import { checkRestBody } from "./checks/well-formed.ts";
import { type Answered, refuse } from "./finish.ts";
import type { Finder, Match } from "./match.ts";
import type { Service } from "./service.ts";

// The order in which every request is checked, whichever way it comes in. Each step is a function in the file of its
// trade. A step that does not let the request through throws a refusal, which becomes the status beside it.
// Elysia calls its hooks at fixed points of a request, so the list has four parts. They follow one another.

/**
 * Steps 1 to 5: before anyone is asked who they are. `keep` is handed the call. Null lets the request on to the way in
 * that has its path.
 */
export const receive = (
  service: Service,
  request: Request,
  peer: Call["peer"],
  find: Finder,
  keep: (call: Call) => void,
): MaybePromise<Response | null> => {
  const call = startCall(request, peer, service.clock); // 1. request id: every reply bears it, and security headers
  keep(call);
  return orElse(
    () => andThen(find(call.path), (match) => checkRequest(service, match, call)),
    (thrown) => refuseEarly(service, call, thrown),
  );
};

const checkRequest = (
  service: Service,
  match: Match | null,
  call: Call,
): MaybePromise<Response | null> => {
  const { request, method, path } = call;
  if (match) call.routeName = match.name;
  refuseDeletion(method, match); // 2. DELETE and PUT: 405
  checkHost(request.headers, service.settings.hosts); // 3. a host name that is not ours: 421
  if (method === "OPTIONS") return answerOptions(service, call, match); // 4. OPTIONS: 204
  const found = checkEndpoint(method, path, match); // 5. unknown path: 404, wrong method: 405
  call.pathId = found.id;
  return found.forward?.(call) ?? null;
};

/** Steps 6 to 9: who calls, and whether they may. The caller stands in the call, whatever is refused later. */
export const admit = (
  service: Service,
  access: Access,
  call: Call,
  token: string | undefined,
): void => {
  const caller = identify(service.store, call.request, token, call.now); // 6. no credential that is accepted: 401
  call.caller = caller;
  countCall(service.limiter, call, caller); // 7. a key that asks too often: 429
  checkAccess(caller, access, call.now);
};

/** Steps 8 and 9, of which a tool of MCP is asked too. They are about keys: a session may do everything. */
export const checkAccess = (caller: Caller, access: Access, now: Instant): void => {
  checkKind(caller, access); // 8. a key on /sync: 403
  checkScope(caller, access); // 9. a key without the scope: 403
  checkPlan(caller, access, now); // 9. a key of an account that is not Pro: 403
};

/**
 * Step 10: the body of a caller who was let in, unless the same request was answered before. A stranger's body is
 * never read, but where it is the credential: a form of OAuth's.
 */
export const receiveBody = async (
  service: Service,
  rules: BodyOrder,
  call: Call,
  token: string | undefined,
): Promise<Received> => {
  const key = readOptions(rules, call);
  const bytes = await readBody(call.request, rules); // 10. content type: 415, size: 413
  const caller = admitAgain(service, rules.access, call, token);
  const stored = key === null ? null : await beginOnce(service, call, caller, key, bytes); // 10. 409, 422
  if (stored) return { stored };
  const body = parseJson(bytes, rules); // 10. UTF-8 and JSON: 400
  if (rules.rules === "rest") checkRestBody(body, caller.kind === "api_key"); // 10. its text: 400, deleted_at: 403, 422
  return { stored: null, body };
};

/** Step 10 of a message of MCP. Whether a tool's call is to be done once is said by its arguments. */
export const receiveMessage = async (
  service: Service,
  rules: BodyRules & { readonly access: Access },
  call: Call,
  token: string | undefined,
): Promise<{ readonly message: unknown; readonly caller: Caller }> => {
  const bytes = await readBody(call.request, rules); // 10. content type: 415, size: 413
  const caller = admitAgain(service, rules.access, call, token);
  return { message: parseJson(bytes, rules), caller }; // 10. UTF-8 and JSON: 400
};

/** Step 10 of a form, which is sent without a credential. */
export const receiveForm = readForm; // 10. content type: 415, size: 413, UTF-8: 400

// 11. The schema: Elysia holds query and body against the route's (checks/schema.ts), MCP the arguments against the
//     tool's (mcp/arguments.ts): 422.
// 12. The record, within the account: the handler asks src/db for it. Missing, deleted and other people's: 404.
// 13. Whatever was thrown above (`refuse` in finish.ts): its own status, or 500.

/** What a write may be asked for beside its body: to do nothing, and to be done once. Returns its idempotency key. */
const readOptions = ({ isWrite }: BodyOrder, call: Call): string | null => {
  call.dryRun = asksDryRun(call.request, isWrite); // 10. 422
  const key = isWrite ? idempotencyKeyOf(call.request.headers) : null; // 10. 400
  // Nothing is done that would have to be done once; a malformed key is told all the same.
  return call.dryRun ? null : key;
};

/** A body may take its time: a credential that was revoked meanwhile, or lost its plan, writes nothing. */
const admitAgain = (
  service: Service,
  access: Access,
  call: Call,
  token: string | undefined,
): Caller => {
  const now = service.clock.wall();
  const caller = identify(service.store, call.request, token, now); // 6 once more: 401
  call.caller = caller;
  checkAccess(caller, access, now); // 8 and 9 once more: 403
  return caller;
};

/** A key's calls are listed even where they end early: a refused delete is what its owner wants to see. */
const refuseEarly = (service: Service, call: Call, thrown: unknown): Answered =>
  orElse(
    () => {
      call.caller = findKey(service.store, call.request, call.now);
      if (call.caller) call.quotas = service.limiter.peek(call.caller.id);
      return refuse(service, call, thrown);
    },
    (fault) => refuse(service, call, fault),
  );

/** What an endpoint takes as a body, and from whom. */
export type BodyOrder = BodyRules & {
  readonly access: Access;
  /** Whether it takes an `Idempotency-Key` and `dry_run`. */
  readonly isWrite: boolean;
};

/** A request's body; or the reply that the same request was given before. */
type Received =
  { readonly stored: null; readonly body: unknown } | { readonly stored: StoredReply };
