import type { Words } from "../domain/base/message.ts";

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
