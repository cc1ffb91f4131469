/** Shown if the store cannot be opened, or if there is no network on the very first visit. */
export const CannotStart = ({ error }: { readonly error: unknown }) => (
  <div class="cannot-start" role="alert">
    <h1>Your tasks cannot be shown</h1>
    <p>
      {navigator.onLine
        ? "This browser could not open its copy of your tasks. In a private window, storage may be turned off."
        : "There is no network, and this browser has no copy of your tasks yet."}{" "}
      Nothing on the server was changed.
    </p>
    <p class="soft">{error instanceof Error ? error.message : ""}</p>
    <p>
      <button type="button" class="button main" onClick={() => location.reload()}>
        Try again
      </button>
    </p>
  </div>
);
