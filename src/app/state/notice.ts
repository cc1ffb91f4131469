import { signal } from "@preact/signals";

/** A short message at the edge of the screen, with what can be done about it. */
export type Notice = {
  readonly text: string;
  readonly kind: "done" | "problem";
  readonly action?: { readonly label: string; readonly run: () => void };
};

export const notice = signal<Notice | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for some seconds. A newer one replaces it. */
export const say = (next: Notice): void => {
  notice.value = next;
  holdNotice(false);
};

/** Someone points at the message, or reaches it with the keyboard: it stays until they leave. */
export const holdNotice = (held: boolean): void => {
  clearTimeout(timer);
  if (!held) timer = setTimeout(dismissNotice, 8_000);
};

export const dismissNotice = (): void => {
  clearTimeout(timer);
  notice.value = null;
};
