import type { Check } from "../connect/check.ts";
import type { Guide } from "./state.ts";

/** Says in a sentence what the connection test found, and what to do about it. */
export const sentenceFor = (check: Check, server: string): string => {
  switch (check.kind) {
    case "good":
      return `Docket answers at ${server}.`;
    case "no-permission":
      return `Your browser does not let the extension reach ${server}. Try again, and allow it when the browser asks.`;
    case "no-server":
      return `Nothing answers at ${server}. Check the address, that the server is running, and that this computer can reach it.`;
    case "no-http":
      return `Something answers at ${server}, but not over http. Enter the address with https://.`;
    case "no-https":
      return `Something answers at ${server}, but not over https. Enter the address with http://, or set up https on the server.`;
    case "wrong-certificate":
      return `Your browser does not trust the certificate of ${server}. Open the address in a tab to see why.`;
    case "not-docket":
      return `Something answers at ${server}, but it is not Docket. Check the address and the port.`;
    case "error":
      return `Something answers at ${server}, but with an error (${check.status}). If it is a proxy, check that Docket is running behind it.`;
    case "unknown-name":
      return `Docket runs at ${server}, but does not answer to that name. Use the server's IP address, or add the name to DOCKET_ALLOWED_HOSTS on the server.`;
    case "elsewhere":
      return `${server} leads to ${check.to}. If that is your server, enter it as the address.`;
    case "wrong-token":
      return `Docket answers at ${server}, but your session has ended. Sign in again.`;
    case "proxy-asks":
      return `A proxy in front of ${server} asks for a sign-in of its own, which the extension cannot answer. Let Docket's paths pass without it.`;
    case "to-a-page":
      return `${server} leads to ${check.at ?? "another page"}, as a proxy or a guest network does until you sign in there. Open ${server} in a tab to see it.`;
    case "web-page":
      return `A web page answers at ${server} instead of Docket: the sign-in of a proxy or of a guest network, or another program. Open ${server} in a tab to see it.`;
  }
};

/** What helps against a sign-in of a proxy; null if it cannot be one. */
export const guideFor = ({ kind }: Check, server: string): Guide | null =>
  ["proxy-asks", "to-a-page", "web-page"].includes(kind)
    ? {
        name: "What a proxy must let pass",
        href: `${server}/docs/guides/operating#behind-a-proxy`,
      }
    : null;
