/**
 * Whether the browser could not write something for want of room. On a full disk, Chromium names the file that could not
 * grow; an extension's storage in Firefox has the error's name in its text.
 */
export const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "QuotaExceededError" ||
    /QuotaExceededError|FILE_ERROR_NO_SPACE/.test(error.message));
