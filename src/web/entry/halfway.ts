import type { VerifiedPassword } from "../../db/people/browser-sessions.ts";
import type { Account } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";

/** What a person has proved already, and what it is for. Only a code is missing. */
export type Halfway = {
  readonly account: Pick<Account, "email" | "id" | "uid">;
  readonly first: FirstProof;
  /** Where the person goes in the end. */
  readonly next: string;
};

type FirstProof =
  | { readonly by: "password"; readonly fitting: VerifiedPassword }
  | { readonly by: "openid"; readonly provenAt: Instant }
  /** Someone who is signed in already has proved again who they are. */
  | { readonly by: "openid again"; readonly browserSessionId: string };
