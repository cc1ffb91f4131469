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

/** What is said about the way to the server: it is plain http, or a proxy asks for a password of its own. */
export type Advice = "http" | "proxy";

/** What is to be said, until the person says that they know. */
export const advice = signal<readonly Advice[]>([]);

const placeOf = (one: Advice): string => `docket-told-${one}`;

export const advise = (one: Advice): void => {
  if (localStorage.getItem(placeOf(one)) === null) advice.value = [...advice.value, one];
};

export const dismissAdvice = (one: Advice): void => {
  localStorage.setItem(placeOf(one), "yes");
  advice.value = advice.value.filter((other) => other !== one);
};
