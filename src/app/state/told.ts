import { signal } from "@preact/signals";

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
