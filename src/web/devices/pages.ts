import { ownPage, type Page } from "../shared/page.ts";
import { getDevices, postPair, postRevokeDevice } from "./devices.tsx";

export const DEVICE_PAGES: readonly Page[] = [
  ownPage("GET", "/account/devices", getDevices),
  ownPage("POST", "/account/devices/pair", postPair),
  ownPage("POST", "/account/devices/:id/revoke", postRevokeDevice),
];
