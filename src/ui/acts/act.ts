import type { Signal } from "@preact/signals";
import type { Edit } from "../../client/edit.ts";
import type { LostText } from "../../client/client.ts";
import { putBack } from "../../client/lost.ts";
import { shortenedTo } from "../../domain/base/text.ts";
import { client } from "../state/client.ts";
import { isUnsaved } from "../state/lists.ts";
import { say } from "../state/notice.ts";
import { saveFrom } from "../state/typed.ts";

/** Makes one step. `notice` shows it with Undo; without it, the step can still be undone with Ctrl+Z. */
export const act = (
  label: string,
  edits: readonly Edit[],
  { notice = false }: { readonly notice?: boolean } = {},
): Promise<boolean> =>
  attempt(async () => {
    const step = await client().edit(label, edits);
    isUnsaved.value = false;
    if (notice)
      say({
        text: label,
        kind: "done",
        action: { label: "Undo", run: () => void undo(step.undo) },
      });
    return true;
  }, false);

/** Does what a person asked for. If it fails, says why, and returns `otherwise`. */
export const attempt = async <T>(job: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await job();
  } catch (error) {
    sayFailed(error);
    return otherwise;
  }
};

/** Saves what was typed into a field that is ready for the next text at once (see `saveFrom`). */
export const handOver = async (
  field: Signal<string>,
  save: (typed: string) => Promise<boolean>,
): Promise<void> => {
  const typed = field.value;
  field.value = "";
  await saveFrom(field, typed, (text) => attempt(() => save(text), false));
};

/** Says what others wrote where a text replaced theirs, with the way back to that. */
export const sayLost = (theirs: string, restore: () => void): void =>
  say({
    text: `Someone else changed this too, to “${shortenedTo(theirs, 60)}”.`,
    kind: "done",
    action: { label: "Use their version", run: restore },
  });

/** Puts a title back that gave way to another one. */
export const takeLost = async (lost: LostText): Promise<void> => {
  if (await act("Title changed", [putBack(lost)], { notice: true })) await forgetLost(lost);
};

/** Leaves a title as it is, and forgets the one that gave way to it. */
export const forgetLost = (lost: LostText): Promise<void> =>
  attempt(() => client().forgetLost(lost), undefined);

/** The net below everything: what fails where nobody looks for it is said too. */
export const watchFailures = (): void =>
  addEventListener("unhandledrejection", (event) =>
    sayFailed((event as PromiseRejectionEvent).reason),
  );

const undo = (back: () => Promise<void>): Promise<void> =>
  attempt(() => back().then(() => say({ text: "Undone", kind: "done" })), undefined);

/** Takes back the last step that was not taken back yet. */
export const undoLast = (): Promise<void> =>
  attempt(async () => {
    const label = await client().undo();
    say({ text: label === null ? "Nothing to undo" : `Undone: ${label}`, kind: "done" });
  }, undefined);

const sayFailed = (error: unknown): void => {
  isUnsaved.value = true;
  say({ text: reason(error), kind: "problem" });
};

const reason = (error: unknown): string => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "NotPossible") return message;
  return name === "StorageFull"
    ? "Your browser has no room left, so this was not saved. Free some space and try again."
    : `This was not saved. Try again. If that fails too, copy what you typed and reload this page. The browser says: ${message}`;
};
