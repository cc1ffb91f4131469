/**
 * Returns the token of an `Authorization` header (RFC 6750, section 2.1), or null. The scheme may be in upper or
 * lower case. Two headers arrive as one with a comma between them, and give null: guessing which one counts would be
 * unsafe.
 */
export const tokenOf = (authorization: string | null | undefined): string | null =>
  /^bearer[ \t]+([^\s,]{1,4096})$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
