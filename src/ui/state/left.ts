// What is typed in a tab of the web app, and is not saved yet, ends with that tab. So a tab that closes leaves it in this
// browser, and the next tab that shows the same field takes it over.

const LEFT = /^docket-left \S+ /;

/** Returns the text that a closed tab has left for a field, and takes it; empty if there is none. */
export const takeLeft = (place: string): string => {
  const key = Object.keys(localStorage).find((one) => placeOf(one) === place);
  const text = key === undefined ? "" : (localStorage.getItem(key) ?? "");
  if (key !== undefined) localStorage.removeItem(key);
  return text;
};

/** Leaves what was typed in this tab whenever its page ends. If the page is back, it still has that itself. */
export const leaveTyped = (): void => {
  takeBack();
  addEventListener("pageshow", takeBack);
  addEventListener("pagehide", () => {
    const page = Math.random().toString(36).slice(2);
    for (const [place, text] of Object.entries<string>(sessionStorage))
      if (place.startsWith("docket-typed ")) leave(`docket-left ${page} ${place}`, text);
  });
};

const takeBack = (): void => {
  for (const key of Object.keys(localStorage)) {
    const place = placeOf(key);
    if (place !== null && sessionStorage.getItem(place) === localStorage.getItem(key))
      localStorage.removeItem(key);
  }
};

const placeOf = (key: string): string | null => (LEFT.test(key) ? key.replace(LEFT, "") : null);

const leave = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The browser has no room. After a reload, the text is in the tab still.
  }
};
