import { PAIRING_GRANT } from "../../domain/people/grant.ts";
import type { HeaderName } from "./headers.ts";

/** The statuses of the refusals that a route may return. */
export type RefusalStatus = keyof typeof DOCUMENTED;

/** How the document shows a refusal. */
export type DocumentedRefusal = {
  /** The key under `components/responses`. */
  readonly name: string;
  readonly description: string;
  /** One sentence that the refusal may contain. */
  readonly example: string;
  /** The headers that it always has, and those that it may have. */
  readonly always?: readonly HeaderName[];
  readonly may?: readonly HeaderName[];
  /** Whether it occurs only on routes that change records. */
  readonly toWrites?: true;
};

const DOCUMENTED = {
  400: {
    name: "Malformed",
    description:
      "The body is not UTF-8, is not JSON, is nested too deeply or contains NUL, or the Idempotency-Key is malformed.",
    example: "The body is not valid JSON.",
  },
  401: {
    name: "Unauthenticated",
    description: "The credential is missing, mistyped, expired or revoked.",
    example: "This request needs a credential. Send it as Authorization: Bearer <token>.",
    always: ["WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description:
      "This key may not make this call. It does not have the scope, its account is not Pro, it is restricted to some folders or to the inbox, or it tried to delete something. Nothing was changed.",
    example: "This key does not have the write scope. Use a key that has it.",
    may: ["WWW-Authenticate"],
  },
  404: {
    name: "NotFound",
    description:
      "The record was not found. You get the same reply whether it never existed, was deleted, belongs to another account or is out of the key's reach.",
    example: "Task not found. It may have been deleted. Ids come from GET /tasks.",
  },
  405: {
    name: "WrongMethod",
    description:
      "The path does not allow this method. DELETE and PUT are not allowed on any path, because nothing can be deleted or replaced through this API.",
    example:
      "DELETE is not allowed on any path. Nothing can be deleted or replaced through this API.",
    always: ["Allow"],
  },
  409: {
    name: "StillRunning",
    description:
      "The first request with this Idempotency-Key is still in progress: then there is a Retry-After. Or a key would make a second folder of the same name, or write to a task that another key works on. Nothing was changed.",
    example:
      "The first request with this Idempotency-Key is still in progress. Send it again in a second.",
    may: ["Retry-After"],
  },
  412: {
    name: "ChangedMeanwhile",
    description: "The task is no longer at the version in If-Match. Nothing was changed.",
    example: "The task has changed since you read it. Read it again, then decide.",
    may: ["Idempotency-Replayed"],
    toWrites: true,
  },
  413: {
    name: "TooLarge",
    description: "The body is too large, or contains too many values. Nothing was changed.",
    example: "The body must be at most 1 MiB.",
  },
  415: {
    name: "UnsupportedType",
    description: "The body must have the documented type, in UTF-8, without Content-Encoding.",
    example: "Send the body as JSON, with Content-Type: application/json.",
  },
  421: {
    name: "WrongHost",
    description:
      "The server does not answer to that host name. It answers to localhost, IP addresses and the names that its owner has set.",
    example:
      "This server does not answer to that host name. Use localhost or the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS.",
  },
  422: {
    name: "Invalid",
    description: "Something you sent is not as described here. Nothing was changed.",
    example: "title must have 1 to 500 characters, but has 0.",
  },
  429: {
    name: "TooMany",
    description:
      "The key has made too many calls, or 20 calls of the session are waiting for news already. Wait, then send the call again. Calls refused in this way do not count.",
    example: "This key may make 60 requests a minute and 600 an hour. Try again in 7 s.",
    always: ["Retry-After"],
  },
  500: {
    name: "InternalError",
    description:
      "This is a bug in the server. The server's log shows the cause under the X-Request-Id.",
    example: "Internal error.",
  },
  503: {
    name: "Unavailable",
    description:
      "The server cannot read or write its storage right now, or has no memory for the body. If there is no Retry-After, its owner must repair it first.",
    example:
      "The server cannot write to its storage right now. Nothing was changed. Try again later.",
    may: ["Retry-After"],
  },
  507: {
    name: "DiskFull",
    description: "The server's disk is full. Nothing was changed.",
    example: "The server's disk is full. Nothing was changed. Free some space and try again.",
  },
} as const satisfies Readonly<Record<number, DocumentedRefusal>>;

/** What each refusal means, on any route. */
export const REFUSALS: Readonly<Record<RefusalStatus, DocumentedRefusal>> = DOCUMENTED;

/** The refusals of the OAuth endpoints, in OAuth's form (RFC 6749, section 5.2). */
export const OAUTH_REFUSALS = {
  400: {
    name: "OAuthMalformed",
    description: "Something you sent cannot be used. `error` says what kind of problem it is.",
    example: {
      error: "unsupported_grant_type",
      error_description: `grant_type must be authorization_code or ${PAIRING_GRANT}.`,
    },
  },
  413: {
    name: "OAuthTooLarge",
    description: "What you sent is too large.",
    example: {
      error: "invalid_request",
      error_description: "The body must be at most 16 KiB.",
    },
  },
  415: {
    name: "OAuthUnsupportedType",
    description:
      "The body must be a form in UTF-8, or JSON for a registration, without Content-Encoding.",
    example: {
      error: "invalid_request",
      error_description:
        "Send the body as a form, with Content-Type: application/x-www-form-urlencoded.",
    },
  },
  429: {
    name: "OAuthTooMany",
    description:
      "Too many pairing codes that nobody has came from this network address. Wait, then ask the person again.",
    example: {
      error: "slow_down",
      error_description: "Too many attempts to sign in have failed. Try again in 15 s.",
    },
    always: ["Retry-After"],
  },
} as const;
