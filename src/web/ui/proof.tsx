import type { SignedInAsk } from "../ask.ts";
import { needsProof } from "../entry/proof.ts";
import type { Problems } from "../form.ts";
import { PasswordField } from "./fields.tsx";

/** The password again, where the last proof is older than 10 minutes. */
export const ProofField = ({
  ask,
  problems,
}: {
  readonly ask: SignedInAsk;
  readonly problems: Problems;
}) =>
  needsProof(ask) ? <PasswordField label="Your password, once more" problems={problems} /> : null;
