import { issuerOf } from "../../server/origin.ts";
import type { PageContext } from "../shared/page.ts";

/** The address of the public API, which people enter in the extension. */
export const baseAddress = ({ origin, service }: PageContext): string =>
  `${issuerOf(origin, service.settings)}/api/public/v1`;
