import type { Words } from "../domain/base/message.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { isLoopback } from "../domain/base/usage.ts";
import type { Call } from "../server/call.ts";
import { originOf } from "../server/origin.ts";
import type { Settings } from "../server/service.ts";

// What is done with a message before the protocol is loaded.

/**
 * Refuses pages of other sites (403). Allows pages of this machine and the server's own. With DNS rebinding, another
 * site's page could otherwise reach this server (MCP, Streamable HTTP, security warning). Programs send no `Origin`.
 */
export const checkOrigin = (request: Request, { peer }: Call, settings: Settings): void => {
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const sender = URL.parse(origin);
  const own = [originOf(request, peer(), settings).href, settings.publicUrl?.origin];
  if (sender && (own.includes(sender.origin) || isLoopback(sender.hostname))) return;
  throw new Refusal(
    "forbidden",
    "Pages of other sites may not call this server. Call it from a program, or from a page on this machine.",
  );
};

/** The words in refusals to agents: where REST names routes and fields, these name tools and arguments. */
export const AGENT_WORDS: Words = (term) => {
  if ("parameter" in term) return term.parameter;
  if ("call" in term) return CALLS[term.call];
  return "header" in term ? HEADERS[term.header] : PHRASES[term.phrase];
};

const CALLS = { listFolders: "list_folders", listTasks: "find_tasks" } as const;

const HEADERS = { "Idempotency-Key": "idempotency_key" } as const;

const PHRASES = {
  "The body contains": "The arguments contain",
  "a different body": "different arguments",
  "the same body": "the same arguments",
} as const;
