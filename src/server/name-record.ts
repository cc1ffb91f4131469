/** The record that a write returned, as the activity list names it; null where it returned none. */
export const nameRecord = (kind: "folder" | "task", value: unknown): string | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? `${kind}:${id}` : null;
};
