/** Sections of the account area with forms of their own. All other forms belong to the Security page. */
const SECTIONS: readonly string[] = ["/account/deleted", "/account/devices", "/account/keys"];

/** The section that a form's address belongs to, where the person can start again. */
export const sectionOf = (path: string): string =>
  SECTIONS.find((section) => path === section || path.startsWith(`${section}/`)) ??
  "/account/security";
