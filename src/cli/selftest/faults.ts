/** A rule of the contract that the server breaks. The message says how. */
export class Broken extends Error {}

/** A check that cannot be made here. The message says why. */
export class Skipped extends Error {}
