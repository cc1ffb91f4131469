/** How many entries of a long list are not on the page. */
export const Rest = ({ count, what }: { readonly count: number; readonly what: string }) =>
  count > 0 ? (
    <p class="quiet-text">
      {count} more {what} are not shown. Open the task in the extension to see them.
    </p>
  ) : null;
