import { fieldsInTools, TASK_FIELDS } from "./task-fields.ts";

// Names of fields, as sentences for agents have them.

const listed = (names: readonly string[]): string =>
  names.join(", ").replace(/, (?=[^,]*$)/, " or ");

const TAKEN = fieldsInTools();

/** The fields that agents may set: "title, status or colour". */
export const SETTABLE = listed(TAKEN);

/** Those of them that null removes. */
export const CLEARABLE = listed(TAKEN.filter((name) => "orNull" in TASK_FIELDS[name].sent));

/** Those beside the status, with commas alone. */
export const BESIDE_STATUS = TAKEN.filter((name) => name !== "status").join(", ");
