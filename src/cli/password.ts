import { UsageError } from "../domain/base/usage.ts";
import { passwordProblem, startHasher } from "../domain/people/password.ts";
import type { Run } from "./command.ts";

/** Asks for a new password for `email` and returns its hash. Refuses a password that is easy to guess. */
export const askPassword = async (run: Run, email: string): Promise<string> => {
  const password = await run.readSecret("New password: ");
  const problem = passwordProblem(password, email);
  if (problem !== null) throw new UsageError(problem);
  return startHasher().hash(password);
};
