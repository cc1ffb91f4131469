/** Characters of a note. */
export const MAX_NOTE = 20_000;
/** Notes that one `POST /tasks` may bring. */
export const MAX_NOTES = 100;
