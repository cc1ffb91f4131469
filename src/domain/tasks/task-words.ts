import { fieldsInTools, TASK_FIELDS } from "./task-fields.ts";

// A list of field names for sentences that agents read.

const listed = (names: readonly string[]): string =>
  names.join(", ").replace(/, (?=[^,]*$)/, " or ");

const TAKEN = fieldsInTools();

/** The fields that agents may set: "title, status or colour". */
export const SETTABLE = listed(TAKEN);

/** Those that null clears. */
export const CLEARABLE = listed(TAKEN.filter((name) => "orNull" in TASK_FIELDS[name].sent));

/** Those other than the status, separated by commas only. */
export const BESIDE_STATUS = TAKEN.filter((name) => name !== "status").join(", ");
