import { version } from "../../../package.json";
import { CHROME_COMMANDS, FIREFOX_COMMANDS } from "../browser/commands.ts";

/** The browsers that a package is made for: Chrome and its relatives, and Firefox. */
export type Target = "chrome" | "firefox";

export const TARGETS: readonly Target[] = ["chrome", "firefox"];

/** Names the extension to Firefox. The hash of it is in the address that Firefox's sign-in returns to. */
const GECKO_ID = "extension@docket";

/**
 * The public half of a key. It gives the unpacked extension the same id on every computer, so that a server knows the
 * address that Chrome's sign-in returns to. Nothing is signed with the other half, and nobody has it.
 */
const CHROME_KEY =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqLZw+vCeyFoO8ifN/SuoWpVshQFcZ+h4M4fNG4G/3vocqFoY0uCMocof6pxDWSJNB1AX3Dz1A8hyy7aN506Kf0qrA3LXY8p/tcz4DiF3zqYaTHsTtL/seK6uu6dB1o5t/URYbzDGDHgwtYhrs5qR1ULag17+gaL4yOTfr0qvuOJkRsK1lLayVztsZp6FFupvM7LwliPA8CY1AgY8EczM3cOjmnpJb3NtIZ5Oo5cmpdChwLTpUXyZiv8lwIoJw5f8rVUoEUmUDq0E/555BzzUPxgmc2HB+wDjTV4p8GaQXbIh2DDx0tvbPYBiY7qd9W594Dqh4QKrAnOYqYfo+dGpVQIDAQAB";

/** Returns the extension's `manifest.json` for a browser. */
export const manifestFor = (target: Target): Readonly<Record<string, unknown>> => ({
  manifest_version: 3,
  name: "Docket",
  version,
  description: "Save tabs into tasks and open them again. Syncs with your own Docket server.",
  icons: ICONS,
  permissions:
    target === "chrome" ? [...PERMISSIONS, "favicon", "sidePanel"].toSorted() : PERMISSIONS,
  // The server's address is asked for when someone connects: the browser then names that one host.
  optional_host_permissions: ["http://*/*", "https://*/*"],
  // Asked for when someone imports the browser's bookmarks.
  optional_permissions: ["bookmarks"],
  // What is done in a private window leaves no trace. A saved tab is one.
  incognito: "not_allowed",
  action: { default_popup: "popup.html", default_title: "Docket", default_icon: ICONS },
  options_ui: { page: "options.html", open_in_tab: true },
  omnibox: { keyword: "dk" },
  content_security_policy: { extension_pages: POLICY },
  ...(target === "chrome" ? FOR_CHROME : FOR_FIREFOX),
});

/**
 * - `tabs`: the addresses of a window's tabs are what is saved, and what "already saved" compares. `activeTab` shows
 *   only one tab, and only after a click.
 * - `tabGroups`: the names and colours of groups.
 * - `unlimitedStorage`: the browser must not remove changes that wait for the server.
 * - `webRequest`: the connection test hears why a request to the server failed or where it leads, and nothing else
 *   listens. Chrome does not report failures to an extension that gets this permission later.
 * - `favicon`: the icons of sites, as Chrome has them. It says nothing about this one beside `tabs`.
 * - `alarms`, `contextMenus`, `identity`, `sidePanel`, `storage`: no browser asks about these.
 */
const PERMISSIONS = [
  "alarms",
  "contextMenus",
  "identity",
  "storage",
  "tabGroups",
  "tabs",
  "unlimitedStorage",
  "webRequest",
];

const ICONS = Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/${size}.png`]));

/**
 * Which host may be asked is decided by permissions, because the policy cannot know the server. Without a policy of
 * its own, Firefox would change `http:` to `https:`.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' data: http: https:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const FOR_CHROME = {
  key: CHROME_KEY,
  minimum_chrome_version: "126",
  commands: CHROME_COMMANDS,
  side_panel: { default_path: "panel.html" },
  background: { service_worker: "background.js", type: "module" },
};

const FOR_FIREFOX = {
  commands: FIREFOX_COMMANDS,
  // It would otherwise open by itself at the installation.
  sidebar_action: {
    default_panel: "panel.html",
    default_title: "Docket",
    default_icon: ICONS,
    open_at_install: false,
  },
  background: { scripts: ["background.js"], type: "module" },
  browser_specific_settings: {
    gecko: {
      id: GECKO_ID,
      strict_min_version: "140.0",
      // Nothing leaves the browser until someone connects a server. That is when Firefox asks for this one.
      data_collection_permissions: { required: ["none"], optional: ["browsingActivity"] },
    },
    gecko_android: { strict_min_version: "142.0" },
  },
};
