/** Parts of the account area that have forms of their own; all other forms belong to its Security page. */
const SECTIONS: readonly string[] = ["/account/deleted", "/account/devices", "/account/keys"];

/** The page that a form's address belongs to, and from which one begins anew. */
export const sectionOf = (path: string): string =>
  SECTIONS.find((section) => path === section || path.startsWith(`${section}/`)) ??
  "/account/security";
