import { ownPage, type Page } from "../shared/page.ts";
import { TARGETS } from "../../extension/packages/manifest.ts";
import { getDevices, postPair, postRevokeDevice } from "./devices.tsx";
import { getPackage, packagePath } from "./extension.tsx";

export const DEVICE_PAGES: readonly Page[] = [
  ownPage("GET", "/account/devices", getDevices),
  ...TARGETS.map((target) => ownPage("GET", packagePath(target), getPackage(target))),
  ownPage("POST", "/account/devices/pair", postPair),
  ownPage("POST", "/account/devices/:id/revoke", postRevokeDevice),
];
