import type { ChildList } from "./child.ts";
import type { TaskField } from "./task-field.ts";
import { TASK_FIELDS } from "./task-fields.ts";

const FIELDS: readonly TaskField[] = Object.values(TASK_FIELDS);

/** The lists inside a task's payload whose items each have an author. */
export const CHILD_LISTS: readonly ChildList[] = FIELDS.flatMap(({ items }) => items ?? []);

/** Whether a field of a task's payload is one of these lists. */
export const isChildList = (field: string): field is ChildList =>
  CHILD_LISTS.some((list) => list === field);
