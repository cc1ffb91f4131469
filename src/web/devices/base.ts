import { issuerOf } from "../../door/origin.ts";
import type { Ask } from "../ask.ts";

/** The address that people give to the extension: where the public API stands. */
export const baseAddress = ({ origin, service }: Ask): string =>
  `${issuerOf(origin, service.settings)}/api/public/v1`;
