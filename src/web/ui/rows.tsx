import type { ComponentChildren } from "preact";

type RowsProps = {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Whether each row is one line, as long as the window is wide enough for a table. */
  readonly oneLine?: boolean;
  readonly children: ComponentChildren;
};

/** A table whose rows become cards on a phone. Each cell repeats its column's name in `data-label`. */
export const Rows = ({ caption, columns, oneLine = false, children }: RowsProps) => (
  <div class="table">
    <table class={oneLine ? "rows one-line" : "rows"}>
      <caption class="quiet-text">{caption}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" data-label={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
