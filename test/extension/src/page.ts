/** The part of a page's interface that is used here. */
export type Element = {
  textContent: string | null;
  value: string;
  hidden: boolean;
  readonly append: (...parts: readonly (Element | string)[]) => void;
  readonly replaceChildren: (...parts: readonly Element[]) => void;
  readonly addEventListener: (name: string, listener: (event: Event) => void) => void;
};

// Known to this module alone: the rest of the project runs in no browser.
declare const document: {
  readonly querySelector: (selector: string) => Element | null;
  readonly createElement: (name: string) => Element;
};

/** The element with an id, which the page has. */
export const element = (id: string): Element => {
  const found = document.querySelector(`#${id}`);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
};

/** A new element with a text in it. */
export const newElement = (name: string, text: string): Element => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};
