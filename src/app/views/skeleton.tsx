/** The outline of a list, while the first tasks are on their way. */
export const Skeleton = () => (
  <div class="skeleton" role="status" aria-label="Loading your tasks">
    {Array.from({ length: 9 }, (_row, at) => (
      <i key={at} />
    ))}
  </div>
);
