/** The part of the DOM that is used here. */
export type Element = {
  textContent: string | null;
  value: string;
  hidden: boolean;
  readonly append: (...parts: readonly (Element | string)[]) => void;
  readonly replaceChildren: (...parts: readonly Element[]) => void;
  readonly addEventListener: (name: string, listener: (event: Event) => void) => void;
};

// Declared in this module only, because the rest of the project does not run in a browser.
declare const document: {
  readonly querySelector: (selector: string) => Element | null;
  readonly createElement: (name: string) => Element;
};

/** Returns the element with an id. Throws if the page has none. */
export const element = (id: string): Element => {
  const found = document.querySelector(`#${id}`);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
};

/** Returns a new element with a text in it. */
export const newElement = (name: string, text: string): Element => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};
