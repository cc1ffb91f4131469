import { clientName } from "../domain/calls/activity.ts";
import { withoutSecrets } from "../domain/base/secret.ts";

/** The client's name for the activity list, from `User-Agent`. A credential sent there by mistake is cut out. */
export const clientOf = ({ headers }: Request): string | null =>
  clientName(withoutSecrets(headers.get("user-agent") ?? ""));
