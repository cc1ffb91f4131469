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
