import type { ComponentChildren } from "preact";

/** The head of a view: its name, how much it holds, and what can be done with all of it. */
export const Head = ({
  title,
  note,
  children,
}: {
  readonly title: ComponentChildren;
  readonly note?: string | undefined;
  readonly children?: ComponentChildren;
}) => (
  <header class="view-head">
    <h1>{title}</h1>
    {note && <span class="soft">{note}</span>}
    <span class="spring" />
    {children}
  </header>
);
