/** Characters of a note. */
export const MAX_NOTE = 20_000;
/** Notes in one `POST /tasks`. */
export const MAX_NOTES = 100;
