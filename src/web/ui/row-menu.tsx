import type { ComponentChildren } from "preact";
import { shownText } from "./shown.tsx";

type RowMenuProps = {
  /** What the row is about. */
  readonly name: string;
  /** Links, and forms of one button. */
  readonly children: ComponentChildren;
};

/** What can be done with a row, behind one button. Opens without script too; the script closes it again. */
export const RowMenu = ({ name, children }: RowMenuProps) => (
  <details class="row-menu" name="row-menu">
    <summary aria-label={`Actions for ${shownText(name)}`} title="Actions">
      <span aria-hidden="true">⋯</span>
    </summary>
    <div class="menu">{children}</div>
  </details>
);
