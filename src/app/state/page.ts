/** Whether this is a page of the extension. It has one address, and is narrow without being a phone. */
export const isInExtension = location.pathname.endsWith(".html");
