import type { Service } from "../door/service.ts";
import { type Hasher, startHasher } from "../password.ts";

/** What the account area is made of, beside what every entrance has. */
export type WebService = Service & {
  readonly hasher: Hasher;
};

export const startWeb = (service: Service): WebService => ({
  ...service,
  hasher: startHasher(),
});
