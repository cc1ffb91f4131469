import { issuerOf } from "../../server/origin.ts";
import type { PageContext } from "../shared/context.ts";

/** The address that people give to the extension: where the public API stands. */
export const baseAddress = ({ origin, service }: PageContext): string =>
  `${issuerOf(origin, service.settings)}/api/public/v1`;
