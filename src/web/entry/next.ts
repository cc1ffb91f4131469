const HERE = "http://docket.invalid";
const RETURN_PATHS = /^\/(account|tasks|oauth\/authorize)(\/|$)/;

/**
 * Where to go after signing in: a page of the account area, the web app, or the extension's consent page. Any other
 * address (another site, `//`, a script) becomes their tasks, or another page of ours that the caller names.
 */
export const safeNext = (asked: string | null, otherwise = "/tasks"): string => {
  const url = URL.parse(asked ?? "", HERE);
  return url?.origin === HERE && RETURN_PATHS.test(url.pathname)
    ? url.pathname + url.search
    : otherwise;
};

/**
 * Returns the status of a page that says what went wrong on the way to `next`. Chrome shows an extension's sign-in in a
 * window of its own, and closes that at any status from 400: a mistyped password would end the sign-in.
 */
export const statusOnTheWay = (next: string, status: number): number =>
  next.startsWith("/oauth/authorize") ? 200 : status;
