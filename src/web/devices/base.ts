import { issuerOf } from "../../door/origin.ts";
import type { Ask } from "../ask.ts";

/** The address of the public API, which people enter in the extension. */
export const baseAddress = ({ origin, service }: Ask): string =>
  `${issuerOf(origin, service.settings)}/api/public/v1`;
