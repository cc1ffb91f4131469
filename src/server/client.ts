import { clientName } from "../domain/calls/activity.ts";
import { withoutSecrets } from "../domain/base/secret.ts";

/** What the client of a request calls itself. A key that a caller put there by mistake is cut. */
export const clientOf = ({ headers }: Request): string | null =>
  clientName(withoutSecrets(headers.get("user-agent") ?? ""));
