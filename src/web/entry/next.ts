const HERE = "http://docket.invalid";
const RETURN_PATHS = /^\/(account|oauth\/authorize)(\/|$)/;

/**
 * Where someone goes on after signing in: a place of the account area, or the extension's consent page.
 * Whatever else an address asks for (another site, `//`, a script) becomes the account area's first page.
 */
export const safeNext = (asked: string | null): string => {
  const url = URL.parse(asked ?? "", HERE);
  return url?.origin === HERE && RETURN_PATHS.test(url.pathname)
    ? url.pathname + url.search
    : "/account";
};
