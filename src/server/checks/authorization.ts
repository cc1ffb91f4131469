/**
 * The token of an `Authorization` field: scheme in any case, one token. Two fields arrive as one with
 * a comma, and are nobody's.
 */
export const tokenOf = (authorization: string | null | undefined): string | null =>
  /^bearer[ \t]+([^\s,]{1,4096})$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
