import type { ComponentChildren } from "preact";
import { NoSession } from "../start/session.ts";

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

/** The outline of a list, while the first tasks are on their way. */
export const Skeleton = () => (
  <div class="skeleton" role="status" aria-label="Loading your tasks">
    {Array.from({ length: 9 }, (_row, at) => (
      <i key={at} />
    ))}
  </div>
);

/** Shown if the store cannot be opened, or if only the server can say who is signed in and cannot be reached. */
export const CannotStart = ({ error }: { readonly error: unknown }) => (
  <div class="cannot-start" role="alert">
    <h1>Your tasks cannot be shown</h1>
    <p>{reason(error)} Nothing on the server was changed.</p>
    <p class="soft">{error instanceof Error ? error.message : ""}</p>
    <p>
      <button type="button" class="button main" onClick={() => location.reload()}>
        Try again
      </button>
    </p>
  </div>
);

/** A request fails with a `TypeError`, a store with another error. */
const reason = (error: unknown): string => {
  if (!navigator.onLine)
    return "There is no network, and this browser has no copy of your tasks yet.";
  if (error instanceof NoSession) return "Docket cannot find out who is signed in.";
  return error instanceof TypeError
    ? "Docket cannot reach the server to find out who is signed in."
    : "This browser could not open its copy of your tasks. In a private window, storage may be turned off.";
};
