/** The database cannot be used by this program; the message says why and what to do. */
export class UnusableDatabase extends Error {}
