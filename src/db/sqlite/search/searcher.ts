import { removeIndex } from "./index-file.ts";
import { SECOND } from "../../../domain/base/instant.ts";
import { Refusal } from "../../../domain/base/refusal.ts";
import type { ListRequest, FoundPage } from "../../records/lists/task-filter.ts";
import type { Searcher } from "../../store.ts";

/** A message to the search thread. It gets the data directory first. */
export type ToThread =
  | { readonly kind: "ask"; readonly id: number; readonly asked: ListRequest }
  | { readonly kind: "close" }
  | { readonly kind: "open"; readonly directory: string; readonly patience: number };

/** The answer to a question: a page, that the index is not ready yet, that the thread died, or why reading failed. */
export type Answer =
  | { readonly page: FoundPage }
  | { readonly preparing: true }
  | { readonly died: true }
  | { readonly failed: { readonly message: string; readonly code: string } };

/** A message from the search thread. */
export type FromThread =
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly kind: "closed" };

type Question = {
  readonly asked: ListRequest;
  readonly resolve: (answer: Answer) => void;
  /** How often it was put to a thread. One that died is replaced once. */
  tries: number;
};

/** How long a search waits for its index, at most for an answer, and for the end of the thread, in ms. */
const PATIENCE = 3 * SECOND;
const ANSWER = 15 * SECOND;
const ENDING = 5 * SECOND;

/** Without the empty list, it would look like a message to a window. */
const tell = (thread: Worker, message: ToThread): void => thread.postMessage(message, []);

/**
 * The thread's program: beside this file when run from source. In the compiled binary it is the build's second entry
 * point, and this code lies in the first. Never a relative path: that would be looked for in the working directory too.
 */
const THREAD = new URL(
  Bun.isStandaloneExecutable ? "./db/sqlite/search/thread.js" : "./thread.ts",
  import.meta.url,
);

/** The thread starts with the first search: a server on which nobody searches does without it. */
export const startSearcher = (directory: string, patience = PATIENCE): Searcher => {
  const questions = new Map<number, Question>();
  let thread: Worker | null = null;
  let count = 0;
  let closed: (() => void) | null = null;

  const put = (id: number, question: Question): void => {
    question.tries += 1;
    tell((thread ??= start()), { kind: "ask", id, asked: question.asked });
  };
  const start = (): Worker => {
    const made = new Worker(THREAD, { ref: false, smol: true });
    made.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data.kind === "closed") return closed?.();
      return questions.get(data.id)?.resolve(data.answer);
    });
    made.addEventListener("error", (event) => event.preventDefault());
    made.addEventListener("close", () => died(made));
    tell(made, { kind: "open", directory, patience });
    return made;
  };
  /** Puts the open questions to a new thread, but each only once more. */
  const died = (which: Worker): void => {
    closed?.();
    if (thread !== which) return;
    thread = null;
    for (const [id, question] of questions)
      if (question.tries > 1) question.resolve(DIED);
      else put(id, question);
  };
  const answerTo = (asked: ListRequest): Promise<Answer> =>
    new Promise((resolve) => {
      const id = ++count;
      const over = setTimeout(() => done({ preparing: true }), ANSWER);
      const done = (answer: Answer): void => {
        clearTimeout(over);
        questions.delete(id);
        resolve(answer);
      };
      const question = { asked, resolve: done, tries: 0 };
      questions.set(id, question);
      put(id, question);
    });
  return {
    search: async (asked) => pageOf(await answerTo(asked)),
    forget: () => removeIndex(directory),
    // The process that deleted the account has removed this index as well: it lies beside the data.
    forgetGone: () => Promise.resolve(),
    close: async () => {
      const ending = thread;
      if (!ending) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      closed = resolve;
      tell(ending, { kind: "close" });
      await Promise.race([promise, Bun.sleep(ENDING)]);
      thread = null;
      ending.terminate();
    },
  };
};

const DIED: Answer = { died: true };

const pageOf = (answer: Answer): FoundPage => {
  if ("page" in answer) return answer.page;
  if ("preparing" in answer)
    throw new Refusal(
      "unavailable",
      "The search index of this account is being prepared. Try again in a few seconds.",
      { "retry-after": "5" },
    );
  if ("died" in answer)
    throw new Refusal(
      "unavailable",
      "The search failed. Nothing was changed. Try again in a few seconds.",
      { "retry-after": "5" },
    );
  const { message, code } = answer.failed;
  throw Object.assign(new Error(message), { code });
};
