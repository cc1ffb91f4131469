import { UsageError } from "../config.ts";
import { byteLength } from "../text.ts";
import type { Run } from "./command.ts";

const SHORTEST = 8;
/** Bytes. A longer one is refused, not cut. */
const LONGEST = 256;

/** Asks for a password and returns its argon2id hash, the parameters of OWASP's first choice. */
export const hashPassword = async (run: Run): Promise<string> => {
  const password = await run.readSecret("New password: ");
  if (password.length < SHORTEST || byteLength(password) > LONGEST)
    throw new UsageError(`A password must be ${SHORTEST} characters to ${LONGEST} bytes long.`);
  return Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 });
};
