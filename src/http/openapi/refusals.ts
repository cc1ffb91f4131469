import { PAIRING_GRANT } from "../../domain/people/grant.ts";
import type { HeaderName } from "./headers.ts";

/** The statuses of refusals that a route may answer. */
export type RefusalStatus = keyof typeof TOLD;

/** How the document shows a refusal. */
export type Shown = {
  /** Under which name it stands among the responses. */
  readonly name: string;
  readonly description: string;
  /** The sentence of one that may come. */
  readonly example: string;
  /** The fields that it always has, and those that it may have. */
  readonly always?: readonly HeaderName[];
  readonly may?: readonly HeaderName[];
  /** Whether only routes that change records answer it. */
  readonly toWrites?: true;
};

const TOLD = {
  400: {
    name: "Malformed",
    description:
      "The body is not UTF-8 or not JSON, nests too deeply or holds NUL; or the Idempotency-Key is malformed.",
    example: "The body is not valid JSON.",
  },
  401: {
    name: "Unauthenticated",
    description: "There is no credential, or it is mistyped, expired or revoked.",
    example: "A credential is needed: send it as Authorization: Bearer <token>.",
    always: ["WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description:
      "Not for this key: it lacks the scope, its account is not Pro, it is kept to some folders or to the inbox, or it tried to delete. Nothing was changed.",
    example: "This key lacks the scope: write.",
    may: ["WWW-Authenticate"],
  },
  404: {
    name: "NotFound",
    description:
      "There is no such record: missing, deleted, another account's and out of the key's reach are all the same.",
    example: "No such task: it does not exist, or it was deleted.",
  },
  405: {
    name: "WrongMethod",
    description:
      "The path does not take this method. DELETE and PUT are not allowed anywhere: nothing can be deleted or replaced here.",
    example: "DELETE is not allowed anywhere: nothing can be deleted or replaced here.",
    always: ["Allow"],
  },
  409: {
    name: "StillRunning",
    description: "The first request with this Idempotency-Key is still being done.",
    example:
      "The first request with this Idempotency-Key is still being done: send it again in a second.",
    always: ["Retry-After"],
  },
  412: {
    name: "ChangedMeanwhile",
    description: "The task is not the version that If-Match names any more. Nothing was changed.",
    example: "The task was changed meanwhile: read it again, then decide.",
    may: ["Idempotency-Replayed"],
    toWrites: true,
  },
  413: {
    name: "TooLarge",
    description: "The body is too large, or holds too many values. Nothing was changed.",
    example: "The body must be at most 1 MiB.",
  },
  415: {
    name: "UnsupportedType",
    description: "The body must come in the documented type, in UTF-8, without Content-Encoding.",
    example: "Send the body as JSON, with Content-Type: application/json.",
  },
  421: {
    name: "WrongHost",
    description:
      "The server is not known by that name. It answers to localhost, IP addresses and the names its owner set.",
    example:
      "This server is not known by that name: call it by localhost or its IP address, or add the name to DOCKET_ALLOWED_HOSTS.",
  },
  422: {
    name: "Invalid",
    description: "Something that was sent is not as documented. Nothing was changed.",
    example: "title must be 1 to 500 characters; got 0.",
  },
  429: {
    name: "TooMany",
    description: "The key asked too often. Refused calls cost nothing: wait, and send it again.",
    example: "This key may make 60 requests a minute and 600 an hour: try again in 7 s.",
    always: ["RateLimit", "RateLimit-Policy", "Retry-After"],
  },
  500: {
    name: "InternalError",
    description: "A bug of the server's. Its log has the cause, under the X-Request-Id.",
    example: "Internal error.",
  },
  503: {
    name: "Unavailable",
    description:
      "The server's storage cannot be read or written right now. Without Retry-After its owner has to mend it first.",
    example:
      "The server's storage cannot be written right now: nothing was changed. Try again later.",
    may: ["Retry-After"],
  },
  507: {
    name: "DiskFull",
    description: "The server's disk is full. Nothing was changed.",
    example: "The server's disk is full: nothing was changed. Free some space and try again.",
  },
} as const satisfies Readonly<Record<number, Shown>>;

/** What each refusal means, for whichever route. */
export const REFUSALS: Readonly<Record<RefusalStatus, Shown>> = TOLD;

/** Those that OAuth's endpoints answer in OAuth's form (RFC 6749, section 5.2). */
export const OAUTH_REFUSALS = {
  400: {
    name: "OAuthMalformed",
    description: "Something that was sent cannot be used; `error` says what kind of thing.",
    example: {
      error: "unsupported_grant_type",
      error_description: `grant_type must be authorization_code or ${PAIRING_GRANT}.`,
    },
  },
  413: {
    name: "OAuthTooLarge",
    description: "The form is too large.",
    example: {
      error: "invalid_request",
      error_description: "The body must be at most 16 KiB.",
    },
  },
  415: {
    name: "OAuthUnsupportedType",
    description: "The body must be a form, in UTF-8, without Content-Encoding.",
    example: {
      error: "invalid_request",
      error_description:
        "Send the body as a form, with Content-Type: application/x-www-form-urlencoded.",
    },
  },
} as const;
