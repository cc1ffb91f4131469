import {
  MAX_ICON,
  MAX_ICONS,
  MAX_ICONS_ASKED,
  MAX_ICONS_SENT,
} from "../../../domain/tasks/icon.ts";
import type { Operations } from "./operation.ts";

const V1 = "/api/public/v1";

const ICON = {
  host: "example.org",
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
};

/** The pictures of web sites. */
export const ICONS: Operations = {
  [`GET ${V1}/icons`]: {
    id: "getIcons",
    tag: "Sync",
    summary: "Get the icons of some sites",
    description:
      "Hosts without an icon are missing in the reply. The server never fetches an icon itself: it has those that the person's devices sent.",
    query: {
      hosts: {
        description: `Up to ${MAX_ICONS_ASKED} hosts, separated by commas, each in small letters and with its port if the address has one.`,
        example: "example.org,localhost:3000",
      },
    },
    reply: {
      description: "The icons that are there.",
      shape: "Icons",
      example: { icons: [ICON] },
    },
  },
  [`POST ${V1}/icons`]: {
    id: "putIcons",
    tag: "Sync",
    summary: "Keep the icons of some sites",
    description: `Send up to ${MAX_ICONS_SENT} icons that the device's own browser has, each a PNG of at most ${MAX_ICON} bytes. All are kept or none. An account keeps ${MAX_ICONS}, the newest ones. They are not part of any record, and neither synced nor exported.`,
    body: { example: { icons: [ICON] } },
    reply: {
      description: "How many were kept.",
      shape: "IconsSaved",
      example: { saved: 1 },
    },
  },
};
