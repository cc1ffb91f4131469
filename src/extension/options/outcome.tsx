import { outcome } from "./state.ts";

/** How the last thing that was asked for went. */
export const OutcomeLine = () => {
  const { kind = "", text, guide } = outcome.value ?? {};
  return (
    <p class={`outcome ${kind}`} role="status">
      {text}
      {guide && (
        <>
          {" "}
          <a href={guide.href} target="_blank" rel="noopener noreferrer">
            {guide.name}
          </a>
        </>
      )}
    </p>
  );
};
